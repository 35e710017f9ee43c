/** The ids that the service gave to the submissions of one run, and which of them it gave twice. */
export class SharedIds {
	private readonly ids = new Set<string>();
	private readonly shared = new Set<string>();

	/** Takes the id of one more submission. Returns whether another one has it too. */
	add(id: string): boolean {
		if (this.ids.has(id)) this.shared.add(id);
		this.ids.add(id);
		return this.shared.has(id);
	}

	/** Takes the id that the user gives: it is nobody's fault that a receipt has it too. */
	note(id: string): void {
		this.ids.add(id);
	}

	has(id: string): boolean {
		return this.shared.has(id);
	}
}
