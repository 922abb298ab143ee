export interface Station {
  id: string;
  docks: (string | null)[];
  neighbours: string[];
}

/** How many docks of the station are free. */
export function freeDocks(station: Station): number {
  return station.docks.filter((bike) => bike == null).length;
}

/** The station of that id. */
export function stationOf(stations: Map<string, Station>, id: string): Station {
  const found = stations.get(id);
  return found!;
}
