import { exportMany } from './export';
import { exportUserTimeline } from './exportUserTimeline';

export const operations = [exportMany, exportUserTimeline];
