/** Says what is wrong with a value and how it should be, to be read after the name of the setting; never repeats the value, which may be a secret. */
export class Unusable extends Error {}
