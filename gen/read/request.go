package read

import (
	"github.com/acemq/acemq-gen/gen/diag"
	"github.com/acemq/acemq-gen/gen/model"
)

func (r *reader) request(d declaredSpec) {
	request := model.Request{
		Question: r.messageCase(d.call, 0), Answer: r.messageCase(d.call, 1), Queue: r.queue(d),
	}
	request.Decl = r.decl(d, model.Identifier(request.Queue.Broker))
	for _, o := range r.options(d.call, 1) {
		if o.function == "Idempotent" {
			r.report(diag.WrongOption, o.Pos(), "take it out, and let the answer to a repeated question be the same",
				"flow.Idempotent is not an option of flow.Request: a question that comes again is to be answered again")
			continue
		}
		r.ownQueueOption(&request.Queue, d.call, o)
	}
	r.flow.Requests = append(r.flow.Requests, request)
}
