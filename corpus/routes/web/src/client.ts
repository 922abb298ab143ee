/** How many seats a crossing has left. */
export async function seatsLeft(crossing: string): Promise<number> {
  const answer = await fetch(`/api/crossings/${crossing}/seats`);
  return (await answer.json()).left;
}

/** Takes a seat, if there is one. */
export async function reserveSeat(crossing: string): Promise<boolean> {
  const answer = await fetch(`/api/crossings/${crossing}/seats?n=1`, { method: "POST" });
  return answer.status === 201;
}

/** When a crossing leaves. */
export async function times(crossing: string): Promise<string[]> {
  const answer = await fetch("/timetable/crossings/" + crossing);
  return answer.json();
}

/** What passengers should know. */
export async function notices(): Promise<string[]> {
  return (await fetch("/timetable/notices")).json();
}
