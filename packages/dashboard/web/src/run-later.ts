/** Runs a function after a delay. Returns a function that cancels the run. */
export function runLater(run: () => void, delayMs: number): () => void {
	const timer = setTimeout(run, delayMs);
	return () => clearTimeout(timer);
}
