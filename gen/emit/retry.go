package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/acemq/acemq-gen/gen/model"
)

// policy is
//
//	acemq.Exponential(5, time.Second, time.Minute).GiveUpAfter(24 * time.Hour)
func (s *source) policy(r *model.Retry) *jen.Statement {
	code := s.imports.of(runtimePath, r.Constructor)
	switch r.Constructor {
	case "Fixed":
		code.Call(jen.Lit(r.Attempts), s.duration(r.Initial))
	case "Exponential":
		code.Call(jen.Lit(r.Attempts), s.duration(r.Initial), s.duration(r.Limit))
	default:
		code.Call()
	}
	if r.GiveUpAfter != nil {
		code.Dot("GiveUpAfter").Call(s.duration(*r.GiveUpAfter))
	}
	if r.BrokerFrom != nil {
		code.Dot("WaitInBrokerFrom").Call(s.duration(*r.BrokerFrom))
	}
	if r.Jitter != nil {
		code.Dot("Jitter").Call(jen.Lit(*r.Jitter))
	}
	return code
}
