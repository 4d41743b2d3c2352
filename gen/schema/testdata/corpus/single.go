package corpus

import (
	"time"

	"github.com/google/uuid"

	"github.com/acemq/acemq-gen/gen/schema/testdata/corpus/other"
)

// A field of each kind, by each option of encoding/json.
type (
	//acemq:message
	SingleBool struct {
		V bool `json:"v"`
	}
	//acemq:message
	SingleBoolOmitEmpty struct {
		V bool `json:"v,omitempty"`
	}
	//acemq:message
	SingleBoolOmitZero struct {
		V bool `json:"v,omitzero"`
	}
	//acemq:message
	SingleInt8 struct {
		V int8 `json:"v"`
	}
	//acemq:message
	SingleInt8OmitEmpty struct {
		V int8 `json:"v,omitempty"`
	}
	//acemq:message
	SingleInt8OmitZero struct {
		V int8 `json:"v,omitzero"`
	}
	//acemq:message
	SingleUint16 struct {
		V uint16 `json:"v"`
	}
	//acemq:message
	SingleUint16OmitEmpty struct {
		V uint16 `json:"v,omitempty"`
	}
	//acemq:message
	SingleUint16OmitZero struct {
		V uint16 `json:"v,omitzero"`
	}
	//acemq:message
	SingleFloat struct {
		V float32 `json:"v"`
	}
	//acemq:message
	SingleFloatOmitEmpty struct {
		V float32 `json:"v,omitempty"`
	}
	//acemq:message
	SingleFloatOmitZero struct {
		V float32 `json:"v,omitzero"`
	}
	//acemq:message
	SingleText struct {
		V string `json:"v"`
	}
	//acemq:message
	SingleTextOmitEmpty struct {
		V string `json:"v,omitempty"`
	}
	//acemq:message
	SingleTextOmitZero struct {
		V string `json:"v,omitzero"`
	}
	//acemq:message
	SinglePointer struct {
		V *int `json:"v"`
	}
	//acemq:message
	SinglePointerOmitEmpty struct {
		V *int `json:"v,omitempty"`
	}
	//acemq:message
	SinglePointerOmitZero struct {
		V *int `json:"v,omitzero"`
	}
	//acemq:message
	SingleSlice struct {
		V []int `json:"v"`
	}
	//acemq:message
	SingleSliceOmitEmpty struct {
		V []int `json:"v,omitempty"`
	}
	//acemq:message
	SingleSliceOmitZero struct {
		V []int `json:"v,omitzero"`
	}
	//acemq:message
	SingleBytes struct {
		V []byte `json:"v"`
	}
	//acemq:message
	SingleBytesOmitEmpty struct {
		V []byte `json:"v,omitempty"`
	}
	//acemq:message
	SingleBytesOmitZero struct {
		V []byte `json:"v,omitzero"`
	}
	//acemq:message
	SingleArray struct {
		V [2]bool `json:"v"`
	}
	//acemq:message
	SingleArrayOmitEmpty struct {
		V [2]bool `json:"v,omitempty"`
	}
	//acemq:message
	SingleArrayOmitZero struct {
		V [2]bool `json:"v,omitzero"`
	}
	//acemq:message
	SingleMap struct {
		V map[string]int `json:"v"`
	}
	//acemq:message
	SingleMapOmitEmpty struct {
		V map[string]int `json:"v,omitempty"`
	}
	//acemq:message
	SingleMapOmitZero struct {
		V map[string]int `json:"v,omitzero"`
	}
	//acemq:message
	SingleStruct struct {
		V Inner `json:"v"`
	}
	//acemq:message
	SingleStructOmitEmpty struct {
		V Inner `json:"v,omitempty"`
	}
	//acemq:message
	SingleStructOmitZero struct {
		V Inner `json:"v,omitzero"`
	}
	//acemq:message
	SingleStructPointer struct {
		V *Inner `json:"v"`
	}
	//acemq:message
	SingleStructPointerOmitEmpty struct {
		V *Inner `json:"v,omitempty"`
	}
	//acemq:message
	SingleStructPointerOmitZero struct {
		V *Inner `json:"v,omitzero"`
	}
	//acemq:message
	SingleTime struct {
		V time.Time `json:"v"`
	}
	//acemq:message
	SingleTimeOmitEmpty struct {
		V time.Time `json:"v,omitempty"`
	}
	//acemq:message
	SingleTimeOmitZero struct {
		V time.Time `json:"v,omitzero"`
	}
	//acemq:message
	SingleEnum struct {
		V Status `json:"v"`
	}
	//acemq:message
	SingleEnumOmitEmpty struct {
		V Status `json:"v,omitempty"`
	}
	//acemq:message
	SingleEnumOmitZero struct {
		V Status `json:"v,omitzero"`
	}
	//acemq:message
	SingleAny struct {
		V any `json:"v"`
	}
	//acemq:message
	SingleAnyOmitEmpty struct {
		V any `json:"v,omitempty"`
	}
	//acemq:message
	SingleAnyOmitZero struct {
		V any `json:"v,omitzero"`
	}
	//acemq:message
	SingleUUID struct {
		V uuid.UUID `json:"v"`
	}
	//acemq:message
	SingleUUIDOmitEmpty struct {
		V uuid.UUID `json:"v,omitempty"`
	}
	//acemq:message
	SingleUUIDOmitZero struct {
		V uuid.UUID `json:"v,omitzero"`
	}
	//acemq:message
	SingleMarshaler struct {
		V Decimal `json:"v"`
	}
	//acemq:message
	SingleMarshalerOmitEmpty struct {
		V Decimal `json:"v,omitempty"`
	}
	//acemq:message
	SingleMarshalerOmitZero struct {
		V Decimal `json:"v,omitzero"`
	}
	//acemq:message
	SingleTextMarshaler struct {
		V Colour `json:"v"`
	}
	//acemq:message
	SingleTextMarshalerOmitEmpty struct {
		V Colour `json:"v,omitempty"`
	}
	//acemq:message
	SingleTextMarshalerOmitZero struct {
		V Colour `json:"v,omitzero"`
	}
	//acemq:message
	SingleForeign struct {
		V other.Amount `json:"v"`
	}
	//acemq:message
	SingleForeignOmitEmpty struct {
		V other.Amount `json:"v,omitempty"`
	}
	//acemq:message
	SingleForeignOmitZero struct {
		V other.Amount `json:"v,omitzero"`
	}
	//acemq:message
	SingleListOfPointers struct {
		V []*Inner `json:"v"`
	}
	//acemq:message
	SingleListOfPointersOmitEmpty struct {
		V []*Inner `json:"v,omitempty"`
	}
	//acemq:message
	SingleListOfPointersOmitZero struct {
		V []*Inner `json:"v,omitzero"`
	}
	//acemq:message
	SingleMapOfSlices struct {
		V map[int][]string `json:"v"`
	}
	//acemq:message
	SingleMapOfSlicesOmitEmpty struct {
		V map[int][]string `json:"v,omitempty"`
	}
	//acemq:message
	SingleMapOfSlicesOmitZero struct {
		V map[int][]string `json:"v,omitzero"`
	}
)
