// Package client talks to other services.
package client

import "net/http"

// Client sends requests with the trace header.
type Client struct {
	base string
	http *http.Client
}

// New makes a client for a service.
func New(base string) *Client {
	return &Client{base: base, http: http.DefaultClient}
}

// Fetch asks for a path and gives the body back.
func (c *Client) Fetch(path string) (*Reply, error) {
	answer, err := c.http.Get(c.base + path)
	if err != nil {
		return nil, err
	}
	return &Reply{status: answer.StatusCode}, nil
}

// Reply is what a service said.
type Reply struct {
	status int
}

// Failed says whether the service refused.
func (r *Reply) Failed() bool {
	return r.status >= 400
}
