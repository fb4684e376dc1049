export type { PresentedMessage } from './control/present-message.ts';
export type { Fault, FaultInput } from './faults/fault.ts';
export { type Sandbox, type SandboxOptions, startSandbox } from './sandbox.ts';
export { defaultApp } from './settings.ts';
export type { CallRecord } from './world/call-log.ts';
