/** Injection token of the address under which people and servers reach the service, without a slash at its end. */
export const PUBLIC_URL = Symbol('PublicUrl');
