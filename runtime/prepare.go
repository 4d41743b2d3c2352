package acemq

// Prepare returns m as [Publisher.Publish] would send it, and sends nothing: encoded, addressed, its envelope complete,
// so that it has its id from here on. It is for the pattern packages, which keep the message and give it to [Conn.Send]
// later. An error is a [*RefusedError].
//
// What is kept is not lost on its way, so routes that are Optional or Transient, whose messages may be, are refused.
func (p *Publisher[T]) Prepare(m T, opts ...PublishOption) (Outgoing, error) {
	route := p.route
	route.Codec = p.codec
	o, err := route.Outgoing(m, opts...)
	if err != nil {
		refused := RefusedError{Cause: err}
		refused.Exchange, refused.Key, refused.MessageID = route.Exchange, route.Key, gather(opts).envelope.ID
		return Outgoing{}, &refused
	}
	if o.Envelope.Origin == "" {
		o.Envelope.Origin = p.conn.origin
	}
	return o, nil
}

// Conn returns the connection that the publisher sends on.
func (p *Publisher[T]) Conn() *Conn { return p.conn }
