import { freeDocks, stationOf, type Station } from "./dock";

/** The station itself if a dock is free, otherwise the first neighbour that has one. */
export function nearestFree(stations: Map<string, Station>, id: string): Station | undefined {
  const station = stationOf(stations, id);
  return hasRoom(station) ? station : neighbourWithRoom(stations, station);
}

function neighbourWithRoom(stations: Map<string, Station>, station: Station): Station | undefined {
  const neighbours = station.neighbours.map((id) => stationOf(stations, id));
  return neighbours.find((neighbour) => hasRoom(neighbour));
}

function hasRoom(station: any): boolean {
  return freeDocks(station) > 0;
}
