package read

import "github.com/acemq/acemq-gen/gen/model"

func (r *reader) pipeline(d declaredSpec) {
	p := model.Pipeline{Broker: r.text(d.call, 0), BrokerPos: r.pkg.Pos(d.call.at(0))}
	p.Decl = r.decl(d, model.Identifier(p.Broker))
	for _, item := range r.options(d.call, 1) {
		switch item.function {
		case "Step", "Sink":
			p.Steps = append(p.Steps, r.step(p.Broker, item))
		case "WriteAs":
			p.Form = r.form(item)
			p.Options = append(p.Options, model.Option{Pos: r.pkg.Pos(item.Pos()), Name: item.function})
		default:
			r.wrongOption(d.call, item)
		}
	}
	r.flow.Pipelines = append(r.flow.Pipelines, p)
}

func (r *reader) slip(d declaredSpec) {
	s := model.Slip{Broker: r.text(d.call, 0), BrokerPos: r.pkg.Pos(d.call.at(0))}
	s.Decl = r.decl(d, model.Identifier(s.Broker))
	for _, item := range r.options(d.call, 1) {
		if item.function == "Stop" {
			s.Stops = append(s.Stops, r.stop(s.Broker, item))
			continue
		}
		switch item.function {
		case "WriteAs":
			s.Form = r.form(item)
		case "AnyDestination":
			s.AnyDestination = true
		default:
			r.wrongOption(d.call, item)
			continue
		}
		s.Options = append(s.Options, model.Option{Pos: r.pkg.Pos(item.Pos()), Name: item.function})
	}
	r.flow.Slips = append(r.flow.Slips, s)
}

// step reads flow.Step and flow.Sink.
func (r *reader) step(pipeline string, c call) model.Step {
	step := model.Step{
		Pos: r.pkg.Pos(c.Pos()), Name: r.text(c, 0), In: r.messageCase(c, 0), Sink: c.function == "Sink",
	}
	if !step.Sink {
		step.Out = r.messageCase(c, 1)
	}
	step.Queue = r.routeQueue(pipeline, step.Name, c, 1)
	return step
}

// stop reads flow.Stop.
func (r *reader) stop(slip string, c call) model.Stop {
	stop := model.Stop{
		Step: model.Step{
			Pos: r.pkg.Pos(c.Pos()), Name: r.text(c, 0), In: r.messageCase(c, 0), Out: r.messageCase(c, 1),
		},
		Exchange: r.exchangeRef(c, 1),
		Key:      r.text(c, 2),
		KeyPos:   r.pkg.Pos(c.at(2)),
	}
	stop.Queue = r.routeQueue(slip, stop.Name, c, 3)
	if stop.Exchange.Name != "" {
		stop.Queue.Bindings = []model.Binding{{Pos: stop.Pos, Exchange: stop.Exchange, Keys: []string{stop.Key}}}
	}
	return stop
}

// routeQueue returns the queue of a step or a stop, whose options start at argument i.
func (r *reader) routeQueue(route, name string, c call, i int) model.Queue {
	q := model.Queue{Broker: model.Unread, BrokerPos: r.pkg.Pos(c.at(0))}
	if route != model.Unread && name != model.Unread {
		q.Broker = route + "." + name
	}
	for _, o := range r.options(c, i) {
		r.ownQueueOption(&q, c, o)
	}
	return q
}

// form reads flow.WriteAs.
func (r *reader) form(o call) string {
	if n, read := r.oneOf(o, 0, forms); read {
		return forms[n]
	}
	return ""
}
