/** How the value of a field is checked, cleaned, and compared. */
export type FieldKind = 'name' | 'company' | 'domain' | 'email' | 'url';
/** A country is an option beside the fields. */
export type ValueKind = FieldKind | 'country';

/** What is wrong with a value. The label of its field stands before the problem. */
export interface Unfit {
	problem: string;
	/** Where it may come from, or what to write. */
	advice?: string;
}

/** Why a text is no email address that can be verified. */
export interface Flaw {
	reason: string;
	/** Whether no server could take it; else the service decides. */
	isCertain: boolean;
}

/** What a value comes to: its text, `undefined` for nothing, or what is wrong. With a flaw, "invalid" is its result. */
export type Checked = { text: string | undefined; flaw?: Flaw } | Unfit;
