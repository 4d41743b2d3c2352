package emit

import (
	"github.com/dave/jennifer/jen"
)

// samples prints the test that reads the frozen samples of a flow's messages.
func samples(s *source) []jen.Code {
	if s.flow.Empty() || s.flow.Package.NoSchemas || len(s.flow.Messages) == 0 {
		return nil
	}
	return []jen.Code{s.samplesTest()}
}

// samplesTest is
//
//	func TestAcemqWireSamples(t *testing.T) {
//		acemqtest.WireSamples(t, "testdata/wire",
//			acemqtest.Reads[OrderPlaced]("order.placed", 1),
//		)
//	}
func (s *source) samplesTest() *jen.Statement {
	args := []jen.Code{jen.Id("t"), jen.Lit("testdata/wire")}
	for _, m := range s.flow.Messages {
		args = append(args, jen.Line().Add(s.imports.of(testPath, "Reads")).Index(jen.Id(s.imports.typeName(m.Go))).
			Call(jen.Lit(m.Type), jen.Lit(m.Version)))
	}
	args = append(args, jen.Line())
	return doc("TestAcemqWireSamples reads messages as each version of their types was sent, which testdata/wire keeps, " +
		"with the types of today.").Line().
		Func().Id("TestAcemqWireSamples").Params(jen.Id("t").Op("*").Add(s.imports.of(testingPath, "T"))).Block(
		s.imports.of(testPath, "WireSamples").Call(args...),
	)
}
