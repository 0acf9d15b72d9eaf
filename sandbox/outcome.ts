/** A response before it is sent. */
export interface Outcome {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly payload: string;
}
