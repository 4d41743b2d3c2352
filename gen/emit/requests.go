package emit

import (
	"fmt"
	"time"

	"github.com/dave/jennifer/jen"

	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// requests prints the requests of a flow, in the order of its declarations.
func requests(s *source) []jen.Code {
	var code []jen.Code
	for i := range s.flow.Requests {
		r := &s.flow.Requests[i]
		code = append(code, s.client(r), s.clientConstructor(r), s.call(r), s.serve(r), s.requestDeclaration(r))
	}
	return code
}

// client is
//
//	type QuotesClient struct {
//		client *request.Client[QuoteRequest, Quote]
//	}
func (s *source) client(r *model.Request) *jen.Statement {
	name := r.Names().Client
	return doc(fmt.Sprintf("%s sends %s to %s, and waits for the %s that answers it. It may be used concurrently.",
		name, s.messageWords(r.Question.Message), queueWords(&r.Queue), s.imports.typeName(r.Answer.Message))).Line().
		Type().Id(name).Struct(
		jen.Id("client").Op("*").Add(s.imports.of(requestPath, "Client")).Index(s.requestTypes(r)),
	)
}

// requestTypes are `QuoteRequest, Quote`.
func (s *source) requestTypes(r *model.Request) *jen.Statement {
	return jen.List(jen.Id(s.imports.typeName(r.Question.Message)), jen.Id(s.imports.typeName(r.Answer.Message)))
}

// clientConstructor is
//
//	func NewQuotesClient(conn *acemq.Conn) *QuotesClient {
//		return &QuotesClient{request.NewClient(conn, quotesRequest)}
//	}
func (s *source) clientConstructor(r *model.Request) *jen.Statement {
	names := r.Names()
	return doc(names.Constructor + " returns a client on conn.").Line().
		Func().Id(names.Constructor).Params(s.conn()).Op("*").Id(names.Client).Block(
		jen.Return(jen.Op("&").Id(names.Client).Values(
			s.imports.of(requestPath, "NewClient").Call(jen.Id("conn"), jen.Id(names.Declaration)),
		)),
	)
}

// call is
//
//	func (c *QuotesClient) Call(ctx context.Context, q QuoteRequest, opts ...acemq.PublishOption) (Quote, error) {
//		return c.client.Call(ctx, q, opts...)
//	}
func (s *source) call(r *model.Request) *jen.Statement {
	errors := s.imports.name(requestPath)
	return doc(fmt.Sprintf("Call sends q and returns the answer. It waits until the deadline of ctx, or for %s where there is "+
		"none. A *%s.FailedError is the server's word that it failed; a *%s.NoAnswerError says that no answer came, and the "+
		"request may have been handled or not.", model.Spoken(callTimeout), errors, errors)).Line().
		Func().Params(jen.Id("c").Op("*").Id(r.Names().Client)).Id("Call").
		Params(s.ctx(), jen.Id("q").Id(s.imports.typeName(r.Question.Message)), s.options("PublishOption")).
		Params(jen.Id(s.imports.typeName(r.Answer.Message)), jen.Error()).
		Block(jen.Return(jen.Id("c").Dot("client").Dot("Call").Call(jen.Id("ctx"), jen.Id("q"), jen.Id("opts").Op("..."))))
}

// serve is
//
//	func ServeQuotes(ctx context.Context, conn *acemq.Conn, answer request.Func[QuoteRequest, Quote],
//		opts ...acemq.ConsumeOption) (*request.Server, error) {
//		return request.Serve(ctx, conn, quotesRequest, answer, opts...)
//	}
func (s *source) serve(r *model.Request) *jen.Statement {
	names := r.Names()
	paragraphs := opening(r.Name, names.Serve, r.Doc, "answers "+s.imports.typeName(r.Question.Message)+".")
	paragraphs = append(paragraphs, s.serveWords(r), "ctx bounds the start alone: close the server, or conn, to stop.")
	return doc(paragraphs...).Line().
		Func().Id(names.Serve).Params(
		s.ctx(), s.conn(),
		jen.Id("answer").Add(s.imports.of(requestPath, "Func")).Index(s.requestTypes(r)),
		s.options("ConsumeOption"),
	).Params(jen.Op("*").Add(s.imports.of(requestPath, "Server")), jen.Error()).Block(
		jen.Return(s.imports.of(requestPath, "Serve").Call(
			jen.Id("ctx"), jen.Id("conn"), jen.Id(names.Declaration), jen.Id("answer"), jen.Id("opts").Op("..."),
		)),
	)
}

// requestDeclaration is
//
//	var quotesRequest = request.Declaration[QuoteRequest, Quote]{
//		Queue:   acemq.Queue{Name: "quotes", Prefetch: 10},
//		Request: request.Kind{Type: "quote.request", Version: 1},
//		Reply:   request.Kind{Type: "quote", Version: 1},
//	}
func (s *source) requestDeclaration(r *model.Request) *jen.Statement {
	fields := []jen.Code{field("Queue", s.imports.of(runtimePath, "Queue").Values(s.queueFields(&r.Queue)...))}
	for _, side := range []struct {
		name    string
		message model.Type
	}{{"Request", r.Question.Message}, {"Reply", r.Answer.Message}} {
		if m, marked := s.flow.Message(side.message); marked {
			kind := s.imports.of(requestPath, "Kind").
				Values(field("Type", jen.Lit(m.Type)), field("Version", jen.Lit(m.Version)))
			fields = append(fields, field(side.name, kind))
		}
	}
	return jen.Var().Id(r.Names().Declaration).Op("=").Add(s.imports.of(requestPath, "Declaration")).
		Index(s.requestTypes(r)).Add(lines(fields...))
}

// callTimeout is how long a call waits whose context has no deadline (contract: request and reply, default timeout).
const callTimeout = 30 * time.Second

// serveWords says what a server takes and answers, and what becomes of the requests that fail or that it cannot read.
func (s *source) serveWords(r *model.Request) string {
	q := r.Queue
	told := " Its caller is told why once it is given up."
	switch {
	case q.Retry == nil && q.RetryDelay == 0:
		q.Retry = &model.Retry{Constructor: "NoRetry"}
		told = " Its caller is told why."
	case q.Retry == nil:
		told = " Its caller is not told."
	}
	return fmt.Sprintf("It takes %s from %s and answers with %s. %s%s One that cannot be read goes to %q.%s",
		s.messageWords(r.Question.Message), queueWords(&q), s.messageWords(r.Answer.Message), failureWords(&q), told,
		wire.ParkedQueue(q.Broker), loadWords(&q))
}
