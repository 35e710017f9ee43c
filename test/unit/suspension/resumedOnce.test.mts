import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { IWebhookFunctions } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { isResumed, noteResumed } from '../../../nodes/ContactData/suspension/resumedOnce.ts';

/** A callback that n8n answers with this status. */
function callback(statusCode: number) {
	// To nobody.
	const socket = new Socket().on('error', () => {});
	const response = new ServerResponse(new IncomingMessage(socket));
	response.assignSocket(socket);
	response.statusCode = statusCode;
	const context = { getResponseObject: () => response } as unknown as IWebhookFunctions;
	return { context, answer: () => void response.end() };
}

it('an execution that has its results is known by that after thousands of others', () => {
	for (let n = 0; n < 5_000; n++) {
		const { context, answer } = callback(200);
		noteResumed(context, `wait ${n}`, () => expect.unreachable());
		answer();
	}
	expect(isResumed('wait 0')).toBe(true);
	expect(isResumed('another wait')).toBe(false);
});

it('one that n8n could not resume gets them again, and the others do not', () => {
	const undone: string[] = [];
	const [failing, other] = [callback(500), callback(200)];
	noteResumed(failing.context, 'failing', () => undone.push('failing'));
	noteResumed(other.context, 'other', () => undone.push('other'));
	failing.answer();
	other.answer();
	expect(undone).toEqual(['failing']);
	expect(isResumed('failing')).toBe(false);
	expect(isResumed('other')).toBe(true);
});
