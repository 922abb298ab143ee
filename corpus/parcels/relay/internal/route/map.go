// Package route finds the way between depots.
package route

// Map says which depots are joined by a road.
type Map struct {
	roads map[string][]string
}

// NewMap makes a map without roads.
func NewMap() *Map {
	return &Map{roads: map[string][]string{}}
}

// Join adds a road in both directions.
func (m *Map) Join(one, other string) {
	m.roads[one] = append(m.roads[one], other)
	m.roads[other] = append(m.roads[other], one)
}

// Depots lists every depot once.
func (m *Map) Depots() []string {
	names := make([]string, 0, len(m.roads))
	for name := range m.roads {
		names = append(names, name)
	}
	return names
}

// Next is the first step of the shortest way, by breadth-first search.
func (m *Map) Next(from, to string) (string, bool) {
	came := map[string]string{to: to}
	queue := []string{to}
	for len(queue) > 0 {
		here := queue[0]
		queue = queue[1:]
		for _, neighbour := range m.roads[here] {
			if _, seen := came[neighbour]; seen {
				continue
			}
			came[neighbour] = here
			queue = append(queue, neighbour)
		}
	}
	next, found := came[from]
	return next, found
}
