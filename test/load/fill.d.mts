interface Filled {
  query(text: string): Promise<object[]>;
}
export function lengthen(database: Filled, streams: readonly string[], length: number): Promise<void>;
export function multiply(database: Filled, stream: string, from: number, subjects: number): Promise<void>;
