package asyncapi

import "encoding/json"

// Document is an AsyncAPI document.
type Document struct {
	AsyncAPI           string                `json:"asyncapi"`
	Info               info                  `json:"info"`
	DefaultContentType string                `json:"defaultContentType"`
	Channels           map[string]*channel   `json:"channels,omitempty"`
	Operations         map[string]*operation `json:"operations,omitempty"`
	Components         components            `json:"components"`
	Sagas              []saga                `json:"x-acemq-sagas,omitempty"`
}

type info struct {
	Title       string `json:"title"`
	Version     string `json:"version"`
	Description string `json:"description,omitempty"`
}

// reference refers to another part of the document.
type reference struct {
	Ref string `json:"$ref"`
}

type channel struct {
	Address     *string               `json:"address"` // null where it is not known beforehand
	Description string                `json:"description,omitempty"`
	Messages    map[string]reference  `json:"messages"`
	Parameters  map[string]parameter  `json:"parameters,omitempty"`
	Bindings    bound[channelBinding] `json:"bindings"`
	Queue       *queueNotes           `json:"x-acemq-queue,omitempty"`
}

type parameter struct {
	Enum        []string `json:"enum,omitempty"`
	Description string   `json:"description"`
}

// queueNotes is what AsyncAPI does not know of a queue.
type queueNotes struct {
	Bindings   []binding `json:"bindings,omitempty"`
	Properties []string  `json:"properties,omitempty"`
	Retry      []string  `json:"retry,omitempty"` // the queues in which messages wait for their next delivery
	DeadLetter string    `json:"deadLetter"`
	Parked     string    `json:"parked"`
}

type binding struct {
	Exchange string   `json:"exchange"`
	Keys     []string `json:"keys,omitempty"`
}

type operation struct {
	Action      string                  `json:"action"`
	Channel     reference               `json:"channel"`
	Title       string                  `json:"title"`
	Description string                  `json:"description,omitempty"`
	Messages    []reference             `json:"messages"`
	Bindings    bound[operationBinding] `json:"bindings"`
	Reply       *reply                  `json:"reply,omitempty"`
	Options     []string                `json:"x-acemq-options,omitempty"`
}

type reply struct {
	Address  location    `json:"address"`
	Channel  reference   `json:"channel"`
	Messages []reference `json:"messages"`
}

// location is where in a message something is found.
type location struct {
	Location    string `json:"location"`
	Description string `json:"description,omitempty"`
}

type components struct {
	Schemas  map[string]headers  `json:"schemas,omitempty"`
	Messages map[string]*message `json:"messages,omitempty"`
}

type message struct {
	Name          string                `json:"name"`
	Title         string                `json:"title"`
	Description   string                `json:"description,omitempty"`
	CorrelationID location              `json:"correlationId"`
	Headers       headers               `json:"headers"`
	Payload       *payload              `json:"payload,omitempty"`
	Bindings      bound[messageBinding] `json:"bindings"`
}

// payload is a schema in a format that is not AsyncAPI's own.
type payload struct {
	Format string          `json:"schemaFormat"`
	Schema json.RawMessage `json:"schema"`
}

type saga struct {
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	Subject     string   `json:"subject"`
	Actions     []action `json:"actions"`
}

type action struct {
	Name string `json:"name"`
	Undo string `json:"undo,omitempty"`
}
