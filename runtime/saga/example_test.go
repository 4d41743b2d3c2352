package saga_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/acemq/acemq-gen/runtime/saga"
)

// A saga by hand: the courier cannot come, so that the payment is given back.
func Example() {
	type order struct{ ID string }
	says := func(what string) saga.Func[order] {
		return func(_ context.Context, o order) error {
			fmt.Println(what, o.ID)
			return nil
		}
	}
	placeOrder := saga.Saga[order]{
		Name: "place-order",
		Actions: []saga.Action[order]{
			{Name: "take-payment", Do: says("pay for"), Undo: says("refund")},
			{Name: "book-courier", Do: func(context.Context, order) error { return errors.New("no courier comes") }},
		},
	}
	result := placeOrder.Run(context.Background(), order{"o-1"}, saga.WithLogger(nil))
	fmt.Println(result.Failed+":", result.Err)
	fmt.Println("unresolved:", result.HasUnresolved())
	// Output:
	// pay for o-1
	// refund o-1
	// book-courier: no courier comes
	// unresolved: false
}
