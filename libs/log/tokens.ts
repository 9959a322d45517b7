/** Injection tokens of what has no class of its own. */
export const EVENT_LOG = Symbol('EventLog');
export const READ_PROGRESS = Symbol('ReadProgress');
