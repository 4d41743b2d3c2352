package main

import (
	"context"
	"flag"
	"os"
	"os/signal"
	"syscall"
	"time"

	brokerplan "github.com/acemq/acemq-gen/gen/plan"
	"github.com/acemq/acemq-gen/gen/survey"
)

var planCommand = command{
	name:  "plan",
	args:  "[packages]",
	short: "say what Declare would do to a broker",
	help: `
Says what Declare would do to a broker, before a deployment does it, and changes nothing there: for each exchange, queue
and binding that the flows of the packages declare, and that their consumers and schedulers declare when they start,
whether it is there ("keep"), would be created ("create"), or is there with other settings, so that Declare would fail
("conflict"). With a conflict stand both values and the steps that solve it without losing a message.

  acemq-gen plan -url amqp://user:password@host/vhost ./...

The user needs the right to configure what is declared, as Declare does. Of the settings of a queue that differ, the broker
names the first. Bindings are not to be seen over AMQP: those between an exchange and a queue that are both there are
"unknown", unless -management says where the broker's management API is. Declare makes those that are missing.

Exit code: 0 nothing would be created, as far as is known; 1 something would; 2 there are conflicts, or the flow has
mistakes, wrong use or trouble on the way. With -json the plan is a JSON object.`,
	flags: func(flags *flag.FlagSet) action {
		o := &planOptions{}
		flags.StringVar(&o.url, "url", os.Getenv("ACEMQ_URL"),
			"the broker, amqp://user:password@host/vhost or amqps://…; the default is that of the environment, $ACEMQ_URL")
		flags.StringVar(&o.management, "management", os.Getenv("ACEMQ_MANAGEMENT_URL"),
			"the broker's management API, http://user:password@host:15672 or https://…; the default is that of the environment, "+
				"$ACEMQ_MANAGEMENT_URL, or none")
		return func(p process, args []string) int { return planDeclare(p, o, args) }
	},
}

// planOptions are what the flags say.
type planOptions struct {
	url        string
	management string
}

// planTimeout bounds all that a plan asks a broker.
const planTimeout = 2 * time.Minute

func planDeclare(p process, o *planOptions, patterns []string) int {
	if o.url == "" {
		return p.fail("the broker is not said: use -url amqp://user:password@host/vhost, or set ACEMQ_URL; see: acemq-gen plan -h")
	}
	declared, err := declaredBy(p, patterns)
	if err != nil {
		return p.fail("%v", err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, planTimeout)
	defer cancel()
	found, err := survey.Ask(ctx, o.url, o.management, declared)
	if err != nil {
		return p.fail("%v", err)
	}
	return showPlan(p, brokerplan.Of(declared, found))
}

// showPlan prints a plan and returns the exit code that it stands for.
func showPlan(p process, result *brokerplan.Plan) int {
	if err := p.show(result.WriteText, result.WriteJSON); err != nil {
		return p.fail("%v", err)
	}
	switch {
	case result.Count(brokerplan.Conflict) > 0:
		return exitMisuse
	case result.Count(brokerplan.Create) > 0:
		return exitFailed
	}
	return exitOK
}
