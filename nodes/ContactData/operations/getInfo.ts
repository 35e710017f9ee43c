import type { IDataObject } from 'n8n-workflow';
import { ProblemError } from '../common/errors';
import { asRecord } from '../common/values';
import type { Run } from '../input/run';
import { patienceOf } from '../input/run';
import { readAccount, toAccountInfo } from '../service/accountInfo';

/** Operation Get Info: what the account holds, with `webhooks` always a list. */
export async function getInfo(run: Run): Promise<IDataObject> {
	const reading = await readAccount(run.connection, patienceOf(run));
	if (reading.kind === 'fault') throw new ProblemError({ problem: reading.refusal });
	return { ...asRecord(reading.body), webhooks: toAccountInfo(reading.body).webhooks };
}
