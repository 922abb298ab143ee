import { messages } from "./locale/en";

/** Where a parcel is and since when. */
export interface ParcelState {
  place: { city: string; depot: string };
  since: number;
  delivered: boolean;
}

/** One sentence for people. */
export function describeState(state: ParcelState): string {
  const sentence = state.delivered ? messages["parcel.delivered"] : messages["parcel.waiting"];
  return sentence.replace("{city}", state.place.city).replace("{since}", formatSince(state.since));
}

/** How long ago, in the largest unit that fits. */
export function formatSince(since: number, now: number = Date.now()): string {
  const minutes = Math.floor((now - since) / 60_000);
  if (minutes < 60) {
    return `${minutes} min`;
  }
  return minutes < 24 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60 / 24)} d`;
}
