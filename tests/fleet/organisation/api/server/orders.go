package server

import (
	"net/http"

	"example.org/shop/kit/client"
	"example.org/shop/kit/money"
)

type stock struct {
	remote *client.Client
}

func connect() *client.Client {
	return client.New("http://stock")
}

func showOrder(w http.ResponseWriter, r *http.Request) {
	reply, err := connect().Fetch("/items/" + r.PathValue("number"))
	if err != nil || reply.Failed() {
		w.WriteHeader(http.StatusBadGateway)
	}
}

func placeOrder(w http.ResponseWriter, r *http.Request) {
	price := money.Cents(12, 50)
	s := stock{remote: connect()}
	if s.reserve(price) {
		w.WriteHeader(http.StatusCreated)
	}
}

func (s *stock) reserve(price int) bool {
	_, err := s.remote.Fetch("/reserve")
	return err == nil && price > 0
}
