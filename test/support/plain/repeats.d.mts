export interface Repeats {
  requests: number;
  /** Of these, such as were asked again after a 503. */
  repeats: number;
  /** Of these, such as came while the machine had time. */
  onIdle: number;
}
export function noteRequest(): void;
export function noteRepeat(): void;
export function takeRepeats(): Repeats;
