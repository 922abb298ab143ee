package nightly

import (
	"context"

	"example.org/shop/jobs/orders"
	"google.golang.org/grpc"
)

// Restock orders what is short.
func Restock(ctx context.Context, connection *grpc.ClientConn, item string) error {
	client := orders.NewOrdersClient(connection)
	_, err := client.PlaceOrder(ctx, &orders.OrderRequest{Item: item})
	return err
}
