interface First {
  people: number;
  bytes: number;
  seconds: number;
  free: number;
  place: string;
}
export function roomFor(first: First, total: number): { said: string; refusal: string | null };
