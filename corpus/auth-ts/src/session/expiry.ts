import config from "../config";

/** Whether a session was unused for too long. */
export function isIdle(lastSeen: number, now: number = Date.now()): boolean {
  return now - lastSeen > config.idleMs;
}
