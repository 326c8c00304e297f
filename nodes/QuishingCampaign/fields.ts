import { omit } from 'lodash';

import { count, OWN_ZONE, type LaunchFields } from '../shared/campaign/launchFields';
import { text } from '../shared/form/fields';
import { parseTyped } from '../shared/pickers/picker';
import { pickerOf } from '../shared/pickers/resources';
import { commonFields } from '../SmishingCampaign/fields';

export const launchFields: LaunchFields = {
	...commonFields,
	creating: {
		// Of quishing, only the start takes the users' time zone (deployment beyond).
		...omit(commonFields.creating, Object.keys(OWN_ZONE)),
		directEmailSettingResourceId: {
			...pickerOf('directEmailSettings', { required: false }),
			parse: (raw) => parseTyped(raw),
		},
		distributionEmailOver: count('Distribute Over', "Over how many units of 'Distribute Over Unit' it is sent"),
		distributionEmailOverTimeTypeId: count(
			'Distribute Over Unit',
			"The unit of 'Distribute Over', by the platform's number",
			0,
		),
		emailDeliverySettingType: count('Delivery', "How emails are delivered, by the platform's number", 0),
		smtpSettingResourceId: text({ displayName: 'SMTP Setting ID', description: 'The setting by which it is sent' }),
		templateType: text({ displayName: 'Template Type', description: 'As the platform writes it' }),
	},
};
