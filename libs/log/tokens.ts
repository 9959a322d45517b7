/** Injection tokens of ports, which have no class. */
export const EVENT_LOG = Symbol('EventLog');
export const READ_PROGRESS = Symbol('ReadProgress');
