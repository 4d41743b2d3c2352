package corpus

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Messages with tags, which fill themselves with what the tags allow.
type (
	//acemq:message
	LimitedNumbers struct {
		A int     `json:"a" jsonschema:"minimum=1,maximum=9"`
		B float64 `json:"b" jsonschema:"exclusiveMinimum=0,exclusiveMaximum=1"`
		C int     `json:"c" jsonschema:"multipleOf=5"`
		D *int    `json:"d" jsonschema:"minimum=3"`
		E []int   `json:"e" jsonschema:"minimum=3,minItems=1,maxItems=4,uniqueItems"`
		F int8    `json:"f" jsonschema:"minimum=-5"`
	}
	//acemq:message
	LimitedTexts struct {
		A string            `json:"a" jsonschema:"minLength=2,maxLength=4"`
		B string            `json:"b" jsonschema:"pattern=^[a-z]{1\\,3}$,example=abc"`
		C string            `json:"c" jsonschema:"enum=x,enum=y"`
		D string            `json:"d,omitempty" jsonschema:"required,title=D,description=never empty"`
		E map[string]string `json:"e" jsonschema:"minProperties=1"`
		F string            `json:"f" jsonschema:"format=email" jsonschema_description:"where to, and where from"`
	}
)

// Fill fills it with what the tags allow.
func (m *LimitedNumbers) Fill(r *rand.Rand) {
	d := 3 + r.IntN(9)
	*m = LimitedNumbers{
		A: 1 + r.IntN(9), B: 0.01 + r.Float64()/2, C: 5 * (r.IntN(9) - 4), D: &d, E: []int{3, 4, 5}[:1+r.IntN(3)], F: -5,
	}
}

// Fill fills it with what the tags allow.
func (m *LimitedTexts) Fill(r *rand.Rand) {
	*m = LimitedTexts{
		A: strings.Repeat("ü", 2+r.IntN(3)), B: "abc"[:1+r.IntN(3)], C: string("xy"[r.IntN(2)]), D: "d",
		E: map[string]string{fmt.Sprint(r.IntN(9)): "v"}, F: "somebody@example.com",
	}
}
