package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/acemq/acemq-gen/gen/model"
)

// sagas prints the sagas of a flow, in the order of its declarations.
func sagas(s *source) []jen.Code {
	var code []jen.Code
	for i := range s.flow.Sagas {
		code = append(code, s.sagaActions(&s.flow.Sagas[i]), s.runSaga(&s.flow.Sagas[i]))
	}
	return code
}

// sagaActions is
//
//	type PlaceOrderActions interface {
//		// TakePayment is the action "take-payment".
//		TakePayment(ctx context.Context, subject Order) error
//		// Refund undoes TakePayment.
//		Refund(ctx context.Context, subject Order) error
//	}
func (s *source) sagaActions(saga *model.Saga) *jen.Statement {
	names := saga.Names()
	var methods []jen.Code
	add := func(name, words string) {
		methods = append(methods, doc(name+" "+words).Line().Id(name).Params(s.ctx(), s.subject(saga)).Error())
	}
	for i, action := range saga.Actions {
		if names.Undo[i] == "" {
			add(names.Do[i], fmt.Sprintf("is the action %q. Nothing undoes it.", action.Name))
			continue
		}
		add(names.Do[i], fmt.Sprintf("is the action %q.", action.Name))
		add(names.Undo[i], "undoes "+names.Do[i]+".")
	}
	return doc(fmt.Sprintf("%s are the actions of %s and what undoes them, a method each. A method should end when its "+
		"context does, and stand being called twice for one subject.", names.Actions, names.Run)).Line().
		Type().Id(names.Actions).Interface(methods...)
}

// subject is `subject Order`.
func (s *source) subject(saga *model.Saga) *jen.Statement {
	return jen.Id("subject").Id(s.imports.typeName(saga.Subject))
}

// runSaga is
//
//	func RunPlaceOrder(ctx context.Context, actions PlaceOrderActions, subject Order,
//		opts ...saga.Option) saga.Result {
//		return saga.Saga[Order]{
//			Name: "place-order",
//			Actions: []saga.Action[Order]{
//				{Name: "take-payment", Do: actions.TakePayment, Undo: actions.Refund},
//				{Name: "book-courier", Do: actions.BookCourier},
//			},
//		}.Run(ctx, subject, opts...)
//	}
func (s *source) runSaga(saga *model.Saga) *jen.Statement {
	names, subject := saga.Names(), jen.Id(s.imports.typeName(saga.Subject))
	actions := make([]jen.Code, len(saga.Actions))
	for i, action := range saga.Actions {
		fields := []jen.Code{field("Name", jen.Lit(action.Name)), field("Do", jen.Id("actions").Dot(names.Do[i]))}
		if names.Undo[i] != "" {
			fields = append(fields, field("Undo", jen.Id("actions").Dot(names.Undo[i])))
		}
		actions[i] = jen.Values(fields...)
	}
	paragraphs := opening(saga.Name, names.Run, saga.Doc, fmt.Sprintf("runs the saga %q.", saga.Title))
	paragraphs = append(paragraphs, sagaWords(saga, names)+" The option "+s.imports.name(sagaPath)+
		".ReportTo shows a failure to the observers of a connection.")
	return doc(paragraphs...).Line().
		Func().Id(names.Run).Params(
		s.ctx(), jen.Id("actions").Id(names.Actions), s.subject(saga),
		jen.Id("opts").Op("...").Add(s.imports.of(sagaPath, "Option")),
	).Add(s.imports.of(sagaPath, "Result")).Block(
		jen.Return(s.imports.of(sagaPath, "Saga").Index(subject).Add(lines(
			field("Name", jen.Lit(saga.Title)),
			field("Actions", jen.Index().Add(s.imports.of(sagaPath, "Action")).Index(subject).Add(lines(actions...))),
		)).Dot("Run").Call(jen.Id("ctx"), jen.Id("subject"), jen.Id("opts").Op("..."))),
	)
}

// sagaWords says what a saga does, in which order, and what it undoes.
func sagaWords(saga *model.Saga, names model.SagaNames) string {
	quoted := make([]string, len(saga.Actions))
	undoes := false
	for i, action := range saga.Actions {
		quoted[i] = fmt.Sprintf("%q", action.Name)
		undoes = undoes || names.Undo[i] != ""
	}
	text := "It does " + listed(quoted) + "."
	if len(quoted) > 1 {
		text = "It does " + listed(quoted) + ", in this order."
	}
	if !undoes {
		return text + " Where one fails, the rest is not done. The result says what became of it."
	}
	return text + " Where one fails, or ctx ends, those done before are undone, the last first, with a context that does not " +
		"end. The result says what was done, what was undone, and what could not be."
}
