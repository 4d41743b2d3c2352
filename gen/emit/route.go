package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/acemq/acemq-gen/gen/model"
)

// route is
//
//	var placedRoute = acemq.Route[OrderPlaced]{
//		Exchange: "orders-events",
//		Key:      "order.placed.{Region}",
//		Fields:   func(m OrderPlaced) []string { return []string{m.Region} },
//		Type:     "order.placed",
//		Version:  1,
//	}
func (s *source) route(p *model.Publish) *jen.Statement {
	var fields []jen.Code
	if exchange, named := s.flow.Exchange(p.Exchange); named {
		fields = append(fields, field("Exchange", jen.Lit(exchange.Broker)))
	}
	if p.Key != "" {
		fields = append(fields, field("Key", jen.Lit(p.Key)))
	}
	if len(p.Fields) > 0 {
		fields = append(fields, field("Fields", s.keyValues(p)))
	}
	if m, marked := s.flow.Message(p.Message); marked {
		fields = append(fields, field("Type", jen.Lit(m.Type)), field("Version", jen.Lit(m.Version)))
	}
	if p.Optional {
		fields = append(fields, field("Optional", jen.True()))
	}
	if p.Transient {
		fields = append(fields, field("Transient", jen.True()))
	}
	if p.Expires != 0 {
		fields = append(fields, field("Expires", s.duration(p.Expires)))
	}
	if p.Priority != 0 {
		fields = append(fields, field("Priority", jen.Lit(p.Priority)))
	}
	return jen.Var().Id(p.Names().Route).Op("=").Add(s.imports.of(runtimePath, "Route")).
		Index(jen.Id(s.imports.typeName(p.Message))).Add(lines(fields...))
}

// keyValues is
//
//	func(m OrderPlaced) []string { return []string{m.Region, strconv.FormatInt(int64(m.Shop), 10)} }
func (s *source) keyValues(p *model.Publish) *jen.Statement {
	values := make([]jen.Code, len(p.Fields))
	for i, f := range p.Fields {
		value := jen.Id("m").Dot(f.Name)
		switch f.Kind {
		case model.NamedString:
			value = jen.String().Call(value)
		case model.SignedField:
			value = s.imports.of(strconvPath, "FormatInt").Call(jen.Int64().Call(value), jen.Lit(10))
		case model.UnsignedField:
			value = s.imports.of(strconvPath, "FormatUint").Call(jen.Uint64().Call(value), jen.Lit(10))
		case model.StringerField:
			value = value.Dot("String").Call()
		}
		values[i] = value
	}
	return jen.Func().Params(s.payload(p)).Index().String().Custom(
		jen.Options{Open: "{ ", Close: " }"}, jen.Return(jen.Index().String().Values(values...)))
}
