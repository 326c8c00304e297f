import { getMany } from './getMany';
import { getWidgetData } from './getWidgetData';

export const operations = [getMany, getWidgetData];
