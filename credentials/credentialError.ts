import { UserError } from 'n8n-workflow';

/** Why the API key is not sent. Thrown before anything is; shows neither the key nor a login. */
export class CredentialError extends UserError {
	/** n8n puts the error into one of its own, and older versions keep no more of it than this. */
	readonly httpCode = 'NOT_SENT';
}
