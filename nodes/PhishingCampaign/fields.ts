import { CODED, count, CREATING, OWN_ZONE, SENDING, type LaunchFields } from '../shared/campaign/launchFields';
import { platformNumberPicker } from '../shared/pickers/platformLists';

const sending = { ...SENDING, distributionDelayTimeTypeId: platformNumberPicker('delayUnits', CODED.delayUnit) };

/** Only this simulator has lists of what is known by numbers (deployment beyond: form-details). */
export const launchFields: LaunchFields = {
	schedule: platformNumberPicker('scheduleTypes', { ...CODED.schedule, defaultName: 'Now' }),
	starting: { ...sending, ...OWN_ZONE },
	creating: {
		...sending,
		...CREATING,
		distributionTypeId: platformNumberPicker('distributionTypes', CODED.distribution),
		emailDeliverySettingType: count('Delivery', "How emails are delivered, by the platform's number", 0),
	},
};
