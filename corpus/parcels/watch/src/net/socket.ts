/** What the watcher needs of a connection. */
export interface Socket {
  send(text: string): void;
  close(): void;
}

/** Opens a WebSocket and passes on what it hears; `onLost` is called once. */
export function openSocket(url: string, onText: (text: string) => void, onLost: () => void): Socket {
  const socket = new WebSocket(url);
  socket.addEventListener("message", (event) => onText(String(event.data)));
  socket.addEventListener("close", onLost, { once: true });
  return socket;
}
