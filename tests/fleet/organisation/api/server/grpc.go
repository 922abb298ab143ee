package server

import (
	"context"

	orders "example.org/shop/api/orders"
	"google.golang.org/grpc"
)

type orderServer struct {
	orders.UnimplementedOrdersServer
}

// PlaceOrder takes an order.
func (s *orderServer) PlaceOrder(ctx context.Context, in *orders.OrderRequest) (*orders.OrderReply, error) {
	return &orders.OrderReply{Number: in.Item}, nil
}

// Register offers the orders to others.
func Register(server *grpc.Server) {
	orders.RegisterOrdersServer(server, &orderServer{})
}
