/** Pauses of one loop, which others may cut short. */
export class Rest {
  private isOver = false;
  private cut: () => void = () => {};

  /** Resolves after `ms`, at the next `wake`, or at once after `end`. */
  async take(ms: number): Promise<void> {
    if (this.isOver) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.cut = () => (clearTimeout(timer), resolve());
    });
  }

  /** Cuts the running pause short. */
  wake(): void {
    this.cut();
  }

  /** No pause is taken from now on. */
  end(): void {
    this.isOver = true;
    this.cut();
  }
}
