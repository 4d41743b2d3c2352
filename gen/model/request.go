package model

// Request is a flow.Request.
type Request struct {
	Decl
	Question Case // what is asked
	Answer   Case // what is answered
	Queue    Queue
}

// RequestNames are the names generated for a Request.
type RequestNames struct {
	Client      string // the type: "QuotesClient"
	Constructor string // the function: "NewQuotesClient"
	Serve       string // the function: "ServeQuotes"
	Declaration string // the variable: "quotesRequest"
}

// Names returns the names generated for r.
func (r *Request) Names() RequestNames {
	api := Exported(r.Name)
	return RequestNames{
		Client:      api + "Client",
		Constructor: "New" + api + "Client",
		Serve:       "Serve" + api,
		Declaration: Unexported(r.Name) + "Request",
	}
}
