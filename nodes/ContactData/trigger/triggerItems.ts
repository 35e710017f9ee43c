import type { INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import type { Form } from '../input/form';
import { optionalColumns } from '../input/form';
import { noteShown } from '../orders/order';
import { readOrders } from '../orders/plan';
import { foldBatches } from '../results/fold';
import { give } from '../results/give';
import { toNodeItems } from '../results/items';
import type { Found } from './ask';

/**
 * What Get Result or Get Bulk Results would give for a lookup that is over, and its event. The
 * trigger's filters may leave nothing.
 */
export function toTriggerItems(
	context: IWebhookFunctions,
	{ id, event, shown }: Found,
): INodeExecutionData[] {
	const { lookup, size, name } = event;
	const form: Form = {
		lookup,
		size,
		isList: false,
		isSplit: size === 'single' || context.getNodeParameter('splitResults', true) !== false,
		isSimple: context.getNodeParameter('simplify', true) !== false,
		task: 'read',
		askedColumns: optionalColumns(lookup),
		includesInput: false,
	};
	const rows = [{ item: 0, search: {}, key: '', envelope: {}, namedId: id }];
	const orders = readOrders(size, rows);
	for (const order of orders) noteShown(order, shown);
	const onlyFound = context.getNodeParameter('onlyFound', false) === true;
	const given = give(form, rows, orders).filter(
		({ output }) => !onlyFound || (output.kind === 'result' && output.json.found === true),
	);
	const items = form.isSplit ? given : foldBatches(form, given, orders);
	return toNodeItems(context.getNode(), form, items).map(({ json }) => ({
		json: { ...json, event: name },
	}));
}
