package saga

import (
	"context"
	"errors"
	"fmt"
)

// Saga is a list of actions on a subject of type T. It is plain data, and may be used concurrently.
type Saga[T any] struct {
	Name    string      // names the saga in results and logs
	Actions []Action[T] // in the order they are done
}

// Action is one thing that a saga does.
type Action[T any] struct {
	Name string // names the action in results and logs, once a saga
	Do   Func[T]
	Undo Func[T] // nil where there is nothing to undo
}

// Func does or undoes an action. It should end when its context does, and stand being called twice for one subject.
type Func[T any] func(ctx context.Context, subject T) error

// Check reports everything that is wrong with the saga: it or an action has no name, two actions have the same one, an
// action does nothing, or there is none.
func (s Saga[T]) Check() error {
	var errs []error
	if s.Name == "" {
		errs = append(errs, errors.New("it has no name"))
	}
	if len(s.Actions) == 0 {
		errs = append(errs, errors.New("it has no actions"))
	}
	first := make(map[string]int, len(s.Actions))
	for i, a := range s.Actions {
		number, named := first[a.Name]
		switch {
		case a.Name == "":
			errs = append(errs, fmt.Errorf("action %d has no name", i+1))
		case named:
			errs = append(errs, fmt.Errorf("action %d has the name of action %d, %q", i+1, number, a.Name))
		default:
			first[a.Name] = i + 1
		}
		if a.Do == nil {
			errs = append(errs, fmt.Errorf("action %d, %q, does nothing: set its Do", i+1, a.Name))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("acemq: saga %q: %w", s.Name, err)
	}
	return nil
}
