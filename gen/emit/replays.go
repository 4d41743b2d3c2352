package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/acemq/acemq-gen/gen/model"
	"github.com/acemq/acemq-gen/runtime/wire"
)

// replay is
//
//	func ReplayBilling(conn *acemq.Conn, opts ...replay.Option) *replay.Replay[OrderPlaced] {
//		return replay.Typed[OrderPlaced](conn, "billing.orders.dlq", opts...)
//	}
func (s *source) replay(c *model.Consume) *jen.Statement {
	names, message := c.Names(), jen.Id(s.imports.typeName(c.Message))
	text := fmt.Sprintf("%s replays the messages that %s gave up on: all, the first, or those that Where picks. %s",
		names.Replay, names.Consume, s.replayWords(&c.Queue))
	return doc(text).Line().
		Func().Id(names.Replay).Params(s.replayParams()...).Add(s.replayResult(message)).Block(
		jen.Return(s.imports.of(replayPath, "Typed").Index(message).Call(replayArguments(&c.Queue)...)),
	)
}

// replayAny is
//
//	func ReplayAudit(conn *acemq.Conn, opts ...replay.Option) *replay.Replay[[]byte] {
//		return replay.New(conn, "audit.orders.dlq", opts...)
//	}
func (s *source) replayAny(d *model.Dispatch) *jen.Statement {
	names := d.Names()
	text := fmt.Sprintf("%s replays the messages of every type that %s gave up on. Where sees their bodies as they are. %s",
		names.Replay, names.Consume, s.replayWords(&d.Queue))
	return doc(text).Line().
		Func().Id(names.Replay).Params(s.replayParams()...).Add(s.replayResult(jen.Index().Byte())).Block(
		jen.Return(s.imports.of(replayPath, "New").Call(replayArguments(&d.Queue)...)),
	)
}

// replayCase is
//
//	func ReplayAuditOrderPlaced(conn *acemq.Conn, opts ...replay.Option) *replay.Replay[OrderPlaced] {
//		return replay.Typed[OrderPlaced](conn, "audit.orders.dlq", opts...).OfType("order.placed", 1)
//	}
func (s *source) replayCase(d *model.Dispatch, i int) *jen.Statement {
	names, message := d.Names(), jen.Id(s.imports.typeName(d.Cases[i].Message))
	replay := s.imports.of(replayPath, "Typed").Index(message).Call(replayArguments(&d.Queue)...)
	text := fmt.Sprintf("%s replays those messages of %s alone that are %s. Where sees them decoded.", names.ReplayCase(i),
		names.Replay, s.messageWords(d.Cases[i].Message))
	if m, marked := s.flow.Message(d.Cases[i].Message); marked {
		replay.Dot("OfType").Call(jen.Lit(m.Type), jen.Lit(m.Version))
	}
	return doc(text).Line().
		Func().Id(names.ReplayCase(i)).Params(s.replayParams()...).Add(s.replayResult(message)).
		Block(jen.Return(replay))
}

// replayParams are `conn *acemq.Conn, opts ...replay.Option`.
func (s *source) replayParams() []jen.Code {
	return []jen.Code{s.conn(), jen.Id("opts").Op("...").Add(s.imports.of(replayPath, "Option"))}
}

// replayResult is `*replay.Replay[OrderPlaced]`.
func (s *source) replayResult(message *jen.Statement) *jen.Statement {
	return jen.Op("*").Add(s.imports.of(replayPath, "Replay")).Index(message)
}

// replayArguments are `conn, "billing.orders.dlq", opts...`.
func replayArguments(q *model.Queue) []jen.Code {
	return []jen.Code{jen.Id("conn"), jen.Lit(wire.DeadLetterQueue(q.Broker)), jen.Id("opts").Op("...")}
}

// replayWords says where replayed messages come from and go to, and what became of those that could not be read.
func (s *source) replayWords(q *model.Queue) string {
	return fmt.Sprintf("They go from %q back to %q. What could not be read is in %q: %s.New replays that.",
		wire.DeadLetterQueue(q.Broker), q.Broker, wire.ParkedQueue(q.Broker), s.imports.name(replayPath))
}
