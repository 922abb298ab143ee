/** Everything the server can be told. */
export interface Config {
  port: number;
  keyFile: string;
  idleMs: number;
}

/** Reads AUTH_PORT, AUTH_KEYS and AUTH_IDLE_MS. */
export function load(env: Record<string, string | undefined>): Config {
  return {
    port: number(env, "AUTH_PORT", 8080),
    keyFile: env.AUTH_KEYS ?? "keys.json",
    idleMs: number(env, "AUTH_IDLE_MS", 30 * 60 * 1000),
  };
}

function number(env: Record<string, string | undefined>, name: string, otherwise: number): number {
  const value = Number(env[name] ?? otherwise);
  if (Number.isNaN(value)) {
    throw new RangeError(`${name} is not a number`);
  }
  return value;
}

export default load(process.env);
