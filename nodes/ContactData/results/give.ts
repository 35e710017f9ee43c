import type { Row } from '../input/rows';
import type { Form } from '../input/settings';
import type { Order } from '../orders/order';
import { condenseLists } from './lists';
import { simplify } from './simplify';

/** The rows with what they give out, in the form that the user has chosen. */
export function give(form: Form, rows: readonly Row[], orders: readonly Order[]): Row[] {
	const given = form.isList ? condenseLists(form, rows, orders) : [...rows];
	return form.isSimple ? simplify(form.lookup, given) : given;
}
