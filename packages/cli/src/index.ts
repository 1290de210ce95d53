export { createContext, type Context, type ContextOptions } from './context.ts';
export { exitCodes, type ExitCode } from './exit.ts';
export { run } from './run.ts';
