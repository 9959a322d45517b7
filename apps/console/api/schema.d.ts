// Written by `npm run client:types` from what the service serves. Not to be edited.

export interface paths {
    "/admin/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/journal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getJournal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/ledger/verifier-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listVerifierKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/operator-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listOperatorTokens"];
        put?: never;
        post: operations["issueOperatorToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/operator-tokens/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["revokeOperatorToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/operator-tokens/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rotateOperatorToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/operators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listOperators"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/operators/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["changeOperator"];
        trace?: never;
    };
    "/admin/v1/operators/{id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["endOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/operators/{id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listOperatorSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/operators/{id}/sessions/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["endOperatorSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listRoles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSession"];
        put?: never;
        post: operations["signIn"];
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/session/demo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["lookAround"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/signing-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSigningKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/signing-keys/{kid}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["revokeSigningKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/signing-keys/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rotateSigningKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSites"];
        put?: never;
        post: operations["registerSite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/audit-bundles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAuditBundles"];
        put?: never;
        post: operations["askAuditBundle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/audit-bundles/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAuditBundle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/audit-bundles/{id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["downloadAuditBundle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/banner/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["previewBanner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/catalogue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportCatalogue"];
        put?: never;
        post: operations["applyCatalogue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/catalogue/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCatalogueDraft"];
        put: operations["saveCatalogueDraft"];
        post?: never;
        delete: operations["discardCatalogueDraft"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/catalogue/draft/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["publishCatalogueDraft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/catalogue/draft/simulation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["simulateCatalogueDraft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/catalogue/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCatalogueSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["changeCatalogueSettings"];
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/catalogue/simulation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["simulateCatalogue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/catalogue/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCatalogueVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/catalogue/versions/{n}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["compareCatalogueVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/consent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["recordSiteConsent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/consent/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["recordSiteConsentBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/consent/google-additional-consent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSiteAdditionalConsent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/consent/google-consent-mode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSiteGoogleConsentMode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/consent/gpp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSiteGppString"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/consent/gpp/decode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["explainSiteGppString"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/consent/tcstring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSiteTcString"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/consent/tcstring/decode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["explainSiteTcString"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/cookies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSiteCookies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/data-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSiteDataRequests"];
        put?: never;
        post: operations["openSiteDataRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/data-requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSiteDataRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/data-requests/{id}/archive-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["linkSiteArchive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/data-requests/{id}/assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["assignSiteDataRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/data-requests/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["cancelSiteDataRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/data-requests/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["completeSiteDataRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/data-requests/{id}/extend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["extendSiteDataRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/data-requests/{id}/hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["holdSiteDataRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/data-requests/{id}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["noteSiteDataRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/data-requests/{id}/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["planSiteDataRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/data-requests/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rejectSiteDataRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/data-requests/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resumeSiteDataRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/data-requests/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["startSiteDataRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/data-requests/{id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["verifySiteDataRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/data-requests/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["openSiteDataRequests"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/data-requests/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["countSiteDataRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSiteEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/ledger/checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSiteLedgerCheckpoint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/ledger/consistency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSiteLedgerConsistency"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/ledger/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSiteLedgerProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/ledger/tile/{level}/{tile}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSiteLedgerTile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/notices/{hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSiteNotice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSitePolicy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/portal-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createSitePortalToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/preference-template": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSitePreferenceTemplate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["setSitePreferences"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/preferences/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["setSitePreferencesBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/preferences/confirmation-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["requestSiteConfirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/preferences/unsubscribe-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["makeSiteUnsubscribeLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/purposes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSitePurposes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/purposes/{key}/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSitePurpose"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/purposes/{key}/renewals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSiteRenewals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/purposes/{key}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSitePurposeVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/purposes/{key}/versions/{n}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSitePurposeVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/reads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listReads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/receipts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSiteReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/statistics/consent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSiteConsentStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/subjects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createSiteSubject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/subjects/{id}/reveal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["revealIdentifiers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/subjects/{ref}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSiteSubject"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/subjects/{ref}/consent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSiteConsentState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/subjects/{ref}/consent/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["explainSiteConsent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/subjects/{ref}/consent/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSiteConsentHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/subjects/{ref}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["eraseSiteSubject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/subjects/{ref}/identifiers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["addSiteIdentifier"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/subjects/{ref}/lift-restriction": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["liftSiteRestriction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/subjects/{ref}/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSitePreferences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/subjects/{ref}/preferences/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSitePreferenceHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/subjects/{ref}/reads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSiteSubjectReads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/subjects/{ref}/restrict": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["restrictSiteSubject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/subjects/{ref}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSiteTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/subjects/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["lookUpSubject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/subjects/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["mergeSiteSubjects"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/subjects/merge/{mergeId}/revert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["revertSiteMerge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/tcf/vendor-list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSiteVendorList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/webhook-deliveries/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["retrySiteWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSiteWebhookEndpoints"];
        put?: never;
        post: operations["createSiteWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/webhook-endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSiteWebhookEndpoint"];
        put?: never;
        post?: never;
        delete: operations["deleteSiteWebhookEndpoint"];
        options?: never;
        head?: never;
        patch: operations["changeSiteWebhookEndpoint"];
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/webhook-endpoints/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSiteWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/webhook-endpoints/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["replaySiteWebhookEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/webhook-endpoints/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rotateSiteWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/webhook-endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testSiteWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/{env}/webhook-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSiteWebhookEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/brand": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getBrand"];
        put?: never;
        post: operations["changeBrand"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listKeys"];
        put?: never;
        post: operations["issueKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/keys/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["revokeKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/sites/{site}/origins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["changeOrigins"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Acknowledgement: {
            /** @example 10 */
            dueDays: number | null;
            /** @example BUSINESS_DAYS */
            unit: ("MONTHS" | "CALENDAR_DAYS" | "BUSINESS_DAYS" | "PERIODS_OF_24_HOURS") | string;
        };
        Actor: {
            /** @example agent-17 */
            id?: string;
            /** @example parent */
            relationship?: string;
            /**
             * @example GUARDIAN
             * @enum {string}
             */
            type: "SUBJECT" | "GUARDIAN" | "AGENT" | "OPERATOR" | "SYSTEM";
        };
        AddIdentifier: {
            /**
             * @example IF_DENIED
             * @enum {string}
             */
            carryOver?: "NEVER" | "IF_DENIED" | "IF_GRANTED" | "ALWAYS";
            /** @example email */
            kind: string;
            /**
             * @example API
             * @enum {string}
             */
            source?: "API" | "IMPORT" | "MIGRATION";
            /** @example ada@example.org */
            value: string;
            /** @example true */
            verified?: boolean;
        };
        AdditionalConsent: {
            /** @example 2~35.89~dv.7.21 */
            addtlConsent: string;
            /** @example false */
            providerListSynthetic: boolean;
            /** @example 3f1c9d2ab47e6058 */
            providerListVersion: string;
        };
        AnnouncedKey: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            announcedAt: string;
            /** @example live */
            env: ("test" | "live") | string;
            /** @example kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k */
            kid: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            signsFrom: string;
        };
        ApplyCatalogue: {
            banner?: components["schemas"]["BannerFileInput"];
            cookies?: components["schemas"]["CookiesFileInput"];
            /** @example false */
            dryRun?: boolean;
            policies?: components["schemas"]["PoliciesFileInput"];
            purposes: components["schemas"]["PurposeFileInput"][];
            /** @example false */
            takeOver?: boolean;
            template?: components["schemas"]["TemplateFileInput"];
            vendors?: components["schemas"]["VendorsFileInput"];
        };
        Archive: {
            /** @example 20480 */
            bytes: number;
            /** @example abababababababababababababababababababababababababababababababab */
            sha256: string;
        };
        ArchiveLink: {
            /** @example 20480 */
            bytes: number;
            /**
             * Format: date-time
             * @example 2026-11-24T12:00:00.000Z
             */
            expiresAt: string;
            /** @example abababababababababababababababababababababababababababababababab */
            sha256: string;
            /** @example https://consent.example/v1/archive?token=dat_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHksIG5vIHRvaw */
            url: string;
        };
        AskAuditBundle: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            readsUntil?: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            since?: string;
            /** @example email:ada@example.org */
            subject?: string;
            /** @example 4211 */
            through?: string;
        };
        AssignDataRequest: {
            /** @example opt_4Zt8nXq2LmPa */
            assignee: string | null;
        };
        AuditBundle: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            askedAt: string;
            /** @example opt_4Zt8nXq2LmPa */
            askedBy: string;
            /** @example 12 */
            bytes: number | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            finishedAt: string | null;
            /** @example abn_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            id: string;
            /**
             * @example audit_bundle
             * @enum {string}
             */
            object: "audit_bundle";
            problem: components["schemas"]["AuditBundleProblem"] | null;
            /** @example 1 */
            progress: number;
            /** @example 12 */
            receipts: number | null;
            /** @example 12 */
            records: number | null;
            /** @example 9f86d081… */
            sha256: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            since: string | null;
            /** @example READY */
            state: ("QUEUED" | "RUNNING" | "READY" | "FAILED") | string;
            /** @example sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T */
            subjectId: string | null;
            /** @example 4211 */
            through: string | null;
        };
        AuditBundleList: {
            data: components["schemas"]["AuditBundle"][];
        };
        AuditBundleProblem: {
            /** @example subject_not_found */
            code: string;
            /** @example Check the reference. */
            hint: string;
            /** @example The log holds nothing about that subject. */
            message: string;
        };
        Banner: {
            /**
             * @example [
             *       "de",
             *       "en"
             *     ]
             */
            availableLocales: string[];
            behaviour: components["schemas"]["BannerBehaviour"];
            buttons: components["schemas"]["BannerButton"][];
            /** @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
            contentHash: string;
            /** @example LTR */
            direction: ("LTR" | "RTL") | string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            effectiveFrom: string | null;
            google: components["schemas"]["BannerGoogle"];
            gpp: components["schemas"]["BannerGpp"];
            /** @example BOX */
            layout: ("BAR" | "BOX" | "DIALOG" | "WALL") | string;
            links: components["schemas"]["BannerLinks"];
            /** @example en */
            locale: string;
            /**
             * @example banner
             * @enum {string}
             */
            object: "banner";
            policy: components["schemas"]["Policy"];
            /** @example BOTTOM */
            position: ("TOP" | "BOTTOM" | "CENTER") | string;
            /** @example OPT_IN */
            presentation: ("OPT_IN" | "OPT_OUT" | "NOTICE_ONLY" | "NONE") | string;
            /** @example eyJhbGciOiJFZERTQSJ9.e30.c2ln */
            presentationToken: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            publishedAt: string | null;
            purposes: components["schemas"]["BannerPurpose"][];
            tcf: components["schemas"]["BannerTcf"];
            texts: components["schemas"]["BannerTexts"];
            theme: components["schemas"]["BannerTheme"];
            /** @example 1 */
            version: number;
        };
        BannerBehaviour: {
            /** @example REJECT */
            dismiss: ("REJECT" | "IGNORE") | string;
            /** @example LINK */
            reopen: ("FLOATING" | "LINK") | string;
            /** @example 180 */
            resurfaceAfterDays: number | null;
            /** @example false */
            scrollLock: boolean;
        };
        BannerBehaviourFile: {
            /** @example REJECT */
            dismiss?: ("REJECT" | "IGNORE") | string;
            /** @example LINK */
            reopen?: ("FLOATING" | "LINK") | string;
            /** @example 180 */
            resurfaceAfterDays?: number;
            /** @example false */
            scrollLock?: boolean;
        };
        BannerBehaviourFileInput: {
            /**
             * @example REJECT
             * @enum {string}
             */
            dismiss?: "REJECT" | "IGNORE";
            /**
             * @example LINK
             * @enum {string}
             */
            reopen?: "FLOATING" | "LINK";
            /** @example 180 */
            resurfaceAfterDays?: number;
            /** @example false */
            scrollLock?: boolean;
        };
        BannerButton: {
            /** @example REJECT_ALL */
            action: ("ACCEPT_ALL" | "REJECT_ALL" | "CUSTOMIZE" | "SAVE" | "ACKNOWLEDGE" | "DO_NOT_SELL") | string;
            /** @example PRIMARY */
            emphasis: ("PRIMARY" | "SECONDARY") | string;
            /** @example 1 */
            layer: number;
        };
        BannerButtonInput: {
            /**
             * @example REJECT_ALL
             * @enum {string}
             */
            action: "ACCEPT_ALL" | "REJECT_ALL" | "CUSTOMIZE" | "SAVE" | "ACKNOWLEDGE" | "DO_NOT_SELL";
            /**
             * @example PRIMARY
             * @enum {string}
             */
            emphasis: "PRIMARY" | "SECONDARY";
            /** @example 1 */
            layer: number;
        };
        BannerFile: {
            behaviour?: components["schemas"]["BannerBehaviourFile"];
            change?: components["schemas"]["TemplateChangeNote"];
            /** @example en */
            defaultLocale: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            effectiveFrom?: string;
            google?: components["schemas"]["BannerGoogleFile"];
            labels: components["schemas"]["BannerLabelsFile"];
            /** @example BOX */
            layout?: ("BAR" | "BOX" | "DIALOG" | "WALL") | string;
            links?: components["schemas"]["BannerLinksFile"];
            /** @example BOTTOM */
            position?: ("TOP" | "BOTTOM" | "CENTER") | string;
            presentations: components["schemas"]["BannerPresentationsFile"];
            /**
             * @example [
             *       "analytics"
             *     ]
             */
            purposeKeys?: string[];
            tcf?: components["schemas"]["BannerTcfFile"];
            theme?: components["schemas"]["BannerThemeFile"];
        };
        BannerFileInput: {
            behaviour?: components["schemas"]["BannerBehaviourFileInput"];
            change?: components["schemas"]["TemplateChangeNoteInput"];
            /** @example en */
            defaultLocale: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            effectiveFrom?: string;
            google?: components["schemas"]["BannerGoogleFileInput"];
            labels: components["schemas"]["BannerLabelsFileInput"];
            /**
             * @example BOX
             * @enum {string}
             */
            layout?: "BAR" | "BOX" | "DIALOG" | "WALL";
            links?: components["schemas"]["BannerLinksFileInput"];
            /**
             * @example BOTTOM
             * @enum {string}
             */
            position?: "TOP" | "BOTTOM" | "CENTER";
            presentations: components["schemas"]["BannerPresentationsFileInput"];
            /**
             * @example [
             *       "analytics"
             *     ]
             */
            purposeKeys?: string[];
            tcf?: components["schemas"]["BannerTcfFileInput"];
            theme?: components["schemas"]["BannerThemeFileInput"];
        };
        BannerFinding: {
            /** @example is missing */
            message: string;
            /** @example purposes[analytics].retention */
            path: string;
            /** @example RETENTION */
            rule: ("CATALOGUE_VALID" | "BANNER_REQUIRED" | "EQUAL_CHOICE" | "TEXT_CONTRAST" | "SHAPE_CONTRAST" | "NO_WALL" | "LANGUAGE_COMPLETE" | "TEXT_OF_PLACE" | "OPT_OUT_LINK" | "PRIVACY_POLICY" | "RETENTION" | "LEGITIMATE_INTEREST" | "GRANT_LIFE" | "ASKED_AGAIN" | "COOKIE_PURPOSE" | "COOKIE_LISTED" | "TCF_TOOL") | string;
            /** @example WARNING */
            severity: ("ERROR" | "WARNING" | "ADVICE") | string;
            /** @example GDPR art. 13(2)(a) */
            source: string;
        };
        BannerGoogle: {
            default: components["schemas"]["GoogleDefaults"];
            /** @example 500 */
            waitForUpdateMs: number;
        };
        BannerGoogleFile: {
            /** @example 500 */
            waitForUpdateMs?: number;
        };
        BannerGoogleFileInput: {
            /** @example 500 */
            waitForUpdateMs?: number;
        };
        BannerGpp: {
            /** @example STATE */
            approach: ("STATE" | "NATIONAL") | string;
            /** @example true */
            enabled: boolean;
            mspa: components["schemas"]["BannerMspa"];
            /**
             * @example [
             *       2
             *     ]
             */
            sections: number[];
        };
        BannerLabelsFile: {
            /**
             * @example {
             *       "en": "Accept all"
             *     }
             */
            acceptAll: {
                [key: string]: string;
            };
            /**
             * @example {
             *       "en": "Understood"
             *     }
             */
            acknowledge?: {
                [key: string]: string;
            };
            /**
             * @example {
             *       "en": "Close"
             *     }
             */
            close?: {
                [key: string]: string;
            };
            /**
             * @example {
             *       "en": "Choose"
             *     }
             */
            customize?: {
                [key: string]: string;
            };
            /**
             * @example {
             *       "en": "Do not sell or share my data"
             *     }
             */
            doNotSell?: {
                [key: string]: string;
            };
            /**
             * @example {
             *       "en": "Privacy choices"
             *     }
             */
            privacyChoices?: {
                [key: string]: string;
            };
            /**
             * @example {
             *       "en": "Reject all"
             *     }
             */
            rejectAll: {
                [key: string]: string;
            };
            /**
             * @example {
             *       "en": "Save my choices"
             *     }
             */
            save?: {
                [key: string]: string;
            };
        };
        BannerLabelsFileInput: {
            /**
             * @example {
             *       "en": "Accept all"
             *     }
             */
            acceptAll: {
                [key: string]: string;
            };
            /**
             * @example {
             *       "en": "Understood"
             *     }
             */
            acknowledge?: {
                [key: string]: string;
            };
            /**
             * @example {
             *       "en": "Close"
             *     }
             */
            close?: {
                [key: string]: string;
            };
            /**
             * @example {
             *       "en": "Choose"
             *     }
             */
            customize?: {
                [key: string]: string;
            };
            /**
             * @example {
             *       "en": "Do not sell or share my data"
             *     }
             */
            doNotSell?: {
                [key: string]: string;
            };
            /**
             * @example {
             *       "en": "Privacy choices"
             *     }
             */
            privacyChoices?: {
                [key: string]: string;
            };
            /**
             * @example {
             *       "en": "Reject all"
             *     }
             */
            rejectAll: {
                [key: string]: string;
            };
            /**
             * @example {
             *       "en": "Save my choices"
             *     }
             */
            save?: {
                [key: string]: string;
            };
        };
        BannerLinks: {
            /** @example null */
            imprint: string | null;
            /** @example https://shop.example/privacy */
            privacyPolicy: string | null;
        };
        BannerLinksFile: {
            /**
             * @example {
             *       "en": "https://shop.example/privacy"
             *     }
             */
            imprint?: {
                [key: string]: string;
            };
            /**
             * @example {
             *       "en": "https://shop.example/privacy"
             *     }
             */
            privacyPolicy?: {
                [key: string]: string;
            };
        };
        BannerLinksFileInput: {
            /**
             * @example {
             *       "en": "https://shop.example/privacy"
             *     }
             */
            imprint?: {
                [key: string]: string;
            };
            /**
             * @example {
             *       "en": "https://shop.example/privacy"
             *     }
             */
            privacyPolicy?: {
                [key: string]: string;
            };
        };
        BannerMspa: {
            /** @example false */
            covered: boolean;
            /** @example null */
            mode: ("OPT_OUT" | "SERVICE_PROVIDER") | string | null;
        };
        BannerPresentationFile: {
            /**
             * @example {
             *       "en": "May we count visits and show advertising?"
             *     }
             */
            body: {
                [key: string]: string;
            };
            buttons?: components["schemas"]["BannerButton"][];
            /**
             * @example {
             *       "en": "Your privacy"
             *     }
             */
            title: {
                [key: string]: string;
            };
        };
        BannerPresentationFileInput: {
            /**
             * @example {
             *       "en": "May we count visits and show advertising?"
             *     }
             */
            body: {
                [key: string]: string;
            };
            buttons?: components["schemas"]["BannerButtonInput"][];
            /**
             * @example {
             *       "en": "Your privacy"
             *     }
             */
            title: {
                [key: string]: string;
            };
        };
        BannerPresentationsFile: {
            noticeOnly?: components["schemas"]["BannerPresentationFile"];
            optIn: components["schemas"]["BannerPresentationFile"];
            optOut?: components["schemas"]["BannerPresentationFile"];
        };
        BannerPresentationsFileInput: {
            noticeOnly?: components["schemas"]["BannerPresentationFileInput"];
            optIn: components["schemas"]["BannerPresentationFileInput"];
            optOut?: components["schemas"]["BannerPresentationFileInput"];
        };
        BannerPreview: {
            banner: components["schemas"]["Banner"];
            findings: components["schemas"]["BannerFinding"][];
            /**
             * @example banner_preview
             * @enum {string}
             */
            object: "banner_preview";
            /** @example DRAFT */
            of: ("FILES" | "DRAFT" | "PUBLISHED") | string;
        };
        BannerPurpose: {
            /** @example ANALYTICS */
            category: ("NECESSARY" | "FUNCTIONAL" | "ANALYTICS" | "MARKETING" | "PERSONALIZATION" | "SOCIAL" | "SALE_SHARE" | "SENSITIVE" | "COMMUNICATION" | "OTHER") | string;
            /** @example OPT_IN */
            consentModel: ("OPT_IN" | "OPT_OUT" | "NOTICE_ONLY" | "ALWAYS_ON") | string;
            /** @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
            contentHash: string;
            /** @example DENIED */
            default: ("GRANTED" | "DENIED") | string;
            /** @example Counts visits. */
            description: string;
            /** @example false */
            gpc: boolean;
            /** @example analytics */
            key: string;
            /** @example CONSENT */
            legalBasis: ("CONSENT" | "CONTRACT" | "LEGAL_OBLIGATION" | "VITAL_INTERESTS" | "PUBLIC_TASK" | "LEGITIMATE_INTERESTS") | string;
            /** @example en */
            locale: string;
            /** @example false */
            locked: boolean;
            /** @example Statistics */
            name: string;
            /** @example 1 */
            version: number;
        };
        BannerTcf: {
            /** @example 300 */
            cmpId: number | null;
            /** @example 4 */
            cmpVersion: number | null;
            /** @example true */
            enabled: boolean;
            /** @example true */
            isServiceSpecific: boolean;
            /** @example DE */
            publisherCountry: string | null;
            /**
             * @example [
             *       755,
             *       793
             *     ]
             */
            vendors: number[];
        };
        BannerTcfFile: {
            /** @example DE */
            publisherCountry: string;
            /**
             * @example [
             *       "demo_statistics"
             *     ]
             */
            vendors?: string[];
        };
        BannerTcfFileInput: {
            /** @example DE */
            publisherCountry: string;
            /**
             * @example [
             *       "demo_statistics"
             *     ]
             */
            vendors?: string[];
        };
        BannerTexts: {
            /** @example Accept all */
            acceptAll: string | null;
            /** @example Understood */
            acknowledge: string | null;
            /** @example May we count visits? */
            body: string | null;
            /** @example Close */
            close: string | null;
            /** @example Choose */
            customize: string | null;
            /** @example Do not sell or share my data */
            doNotSell: string | null;
            /** @example Privacy choices */
            privacyChoices: string | null;
            /** @example Reject all */
            rejectAll: string | null;
            /** @example Save my choices */
            save: string | null;
            /** @example Your privacy */
            title: string | null;
        };
        BannerTheme: {
            dark: components["schemas"]["Colours"];
            /** @example Inter, sans-serif */
            fontFamily: string | null;
            light: components["schemas"]["Colours"];
            /** @example 8 */
            radiusPx: number | null;
        };
        BannerThemeFile: {
            dark?: components["schemas"]["Colours"];
            /** @example Inter, sans-serif */
            fontFamily?: string;
            light?: components["schemas"]["Colours"];
            /** @example 8 */
            radiusPx?: number;
        };
        BannerThemeFileInput: {
            dark?: components["schemas"]["ColoursInput"];
            /** @example Inter, sans-serif */
            fontFamily?: string;
            light?: components["schemas"]["ColoursInput"];
            /** @example 8 */
            radiusPx?: number;
        };
        BatchItem: {
            actor?: components["schemas"]["Actor"];
            collection?: components["schemas"]["Collection"];
            /**
             * @example GRANTED
             * @enum {string}
             */
            decision: "GRANTED" | "DENIED" | "WITHDRAWN" | "OBJECTED" | "ACKNOWLEDGED";
            evidence?: components["schemas"]["Evidence"][];
            /**
             * Format: date-time
             * @example 2027-11-21T12:00:00.000Z
             */
            expiresAt?: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            givenAt?: string;
            /** @example 90 */
            givenSecondsAgo?: number;
            /** @example import-17-row-4 */
            idempotencyKey?: string;
            jurisdiction?: components["schemas"]["JurisdictionInput"];
            /**
             * @example {
             *       "campaign": "autumn"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            };
            /** @example analytics */
            purpose: string;
            /** @example 1 */
            purposeVersion?: number;
            signals?: components["schemas"]["SignalsInput"];
            /**
             * @example API
             * @enum {string}
             */
            source?: "API" | "IMPORT" | "MIGRATION";
            /** @example visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90 */
            subject: string;
            vendors?: components["schemas"]["VendorInput"][];
        };
        BatchItemResult: {
            error?: components["schemas"]["ItemError"];
            /** @example 0 */
            index: number;
            record?: components["schemas"]["ConsentRecord"];
            /** @example RECORDED */
            status: ("RECORDED" | "REPLAYED" | "REJECTED" | "NOT_APPLIED") | string;
        };
        BatchResult: {
            /** @example PARTIAL */
            mode: ("PARTIAL" | "ATOMIC") | string;
            /**
             * @example batch_result
             * @enum {string}
             */
            object: "batch_result";
            results: components["schemas"]["BatchItemResult"][];
            summary: components["schemas"]["BatchSummary"];
        };
        BatchSummary: {
            /** @example 2 */
            recorded: number;
            /** @example 0 */
            rejected: number;
            /** @example 0 */
            replayed: number;
            /** @example 2 */
            total: number;
        };
        Brand: {
            /** @example #0b57b0 */
            accentColor: string | null;
            /** @example #8ec0ff */
            accentColorDark: string | null;
            /** @example REDIRECT */
            afterConfirming: ("REDIRECT" | "PAGE") | string;
            contrast: components["schemas"]["MeasuredColors"] | null;
            /**
             * @example {
             *       "en": "Shop Example"
             *     }
             */
            displayName: {
                [key: string]: string;
            };
            /**
             * @example {
             *       "en": "https://shop.example/imprint"
             *     }
             */
            imprintUrl: {
                [key: string]: string;
            };
            logo: components["schemas"]["Logo"] | null;
            /**
             * @example {
             *       "en": "https://shop.example/privacy"
             *     }
             */
            privacyUrl: {
                [key: string]: string;
            };
            /** @example shop */
            site: string;
        };
        CancelDataRequest: {
            /** @example dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            duplicateOf?: string;
            /** @example Agreed by phone. */
            note?: string;
            /**
             * @example WITHDRAWN_BY_REQUESTER
             * @enum {string}
             */
            reason?: "WITHDRAWN_BY_REQUESTER" | "OPENED_BY_MISTAKE";
        };
        CatalogueApplied: {
            changes: components["schemas"]["CatalogueDiff"][];
            /** @example true */
            published: boolean;
        };
        CatalogueDiff: {
            /** @example PUBLISH */
            action: ("PUBLISH" | "RETIRE" | "NONE") | string;
            /**
             * @example [
             *       "translations"
             *     ]
             */
            changed: string[];
            /** @example analytics */
            key: string;
            /** @example purpose */
            object: ("purpose" | "preference_template" | "vendors" | "cookies" | "banner" | "policies") | string;
            /** @example 2 */
            version: number;
        };
        CatalogueDifference: {
            changes: components["schemas"]["ObjectDifference"][];
            /** @example 1 */
            from: number;
            /** @example false */
            isCut: boolean;
            /**
             * @example catalogue_difference
             * @enum {string}
             */
            object: "catalogue_difference";
            /** @example 2 */
            to: number;
        };
        CatalogueDraft: {
            /** @example 3 */
            base: number;
            changes: components["schemas"]["CatalogueDiff"][];
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            editedAt: string | null;
            /** @example operator:opt_first */
            editedBy: string | null;
            files: components["schemas"]["DeclaredDraftFiles"];
            issues: components["schemas"]["DraftIssue"][];
            /**
             * @example catalogue_draft
             * @enum {string}
             */
            object: "catalogue_draft";
            settings: components["schemas"]["CatalogueSettings"];
            /** @example OPEN */
            state: ("NONE" | "OPEN") | string;
            /** @example "draft-7" */
            tag: string;
            /** @example 3 */
            version: number;
        };
        CatalogueFiles: {
            banner?: components["schemas"]["BannerFile"];
            cookies?: components["schemas"]["CookiesFile"];
            policies?: components["schemas"]["PoliciesFile"];
            purposes: components["schemas"]["PurposeFile"][];
            template?: components["schemas"]["TemplateFile"];
            vendors?: components["schemas"]["VendorsFile"];
        };
        CatalogueSettings: {
            /** @example FOUR_EYES */
            approval: ("NONE" | "FOUR_EYES") | string;
            /**
             * @example catalogue_settings
             * @enum {string}
             */
            object: "catalogue_settings";
            /** @example CONSOLE */
            owner: ("FILES" | "CONSOLE") | string;
        };
        CatalogueVendor: {
            /** @example IE */
            country: string | null;
            frameworks: components["schemas"]["VendorFrameworks"];
            /** @example demo_statistics */
            key: string;
            /** @example Demo Statistics Ltd */
            name: string;
            /** @example https://statistics.example/privacy */
            privacyPolicy: string | null;
        };
        CatalogueVersion: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            at: string;
            /** @example operator:opt_first */
            by: string;
            changes: components["schemas"]["VersionChange"][];
            /** @example operator:opt_4Zt8nXq2LmPa */
            editedBy: string | null;
            /**
             * @example catalogue_version
             * @enum {string}
             */
            object: "catalogue_version";
            /** @example CONSOLE */
            source: ("FILES" | "CONSOLE") | string;
            /** @example 4 */
            version: number;
        };
        CatalogueVersionList: {
            data: components["schemas"]["CatalogueVersion"][];
            /** @example false */
            hasMore: boolean;
            /** @example null */
            nextCursor: string | null;
        };
        CategoryPolicy: {
            /** @example ANALYTICS */
            category: ("NECESSARY" | "FUNCTIONAL" | "ANALYTICS" | "MARKETING" | "PERSONALIZATION" | "SOCIAL" | "SALE_SHARE" | "SENSITIVE" | "COMMUNICATION" | "OTHER") | string;
            /** @example DENIED */
            default: ("GRANTED" | "DENIED") | string;
            /** @example false */
            locked: boolean;
        };
        ChangeBrand: {
            /** @example #0b57b0 */
            accentColor?: string | null;
            /** @example #8ec0ff */
            accentColorDark?: string | null;
            /**
             * @example REDIRECT
             * @enum {string|null}
             */
            afterConfirming?: "REDIRECT" | "PAGE" | null;
            /**
             * @example {
             *       "en": "Shop Example"
             *     }
             */
            displayName?: {
                [key: string]: string;
            } | null;
            /**
             * @example {
             *       "en": "https://shop.example/imprint"
             *     }
             */
            imprintUrl?: {
                [key: string]: string;
            } | null;
            logo?: components["schemas"]["LogoFile"] | null;
            /**
             * @example {
             *       "en": "https://shop.example/privacy"
             *     }
             */
            privacyUrl?: {
                [key: string]: string;
            } | null;
        };
        ChangeCatalogueSettings: {
            /**
             * @example FOUR_EYES
             * @enum {string}
             */
            approval?: "NONE" | "FOUR_EYES";
            /**
             * @example CONSOLE
             * @enum {string}
             */
            owner?: "FILES" | "CONSOLE";
        };
        ChangeNote: {
            /** @example EDITORIAL */
            kind?: ("MATERIAL" | "EDITORIAL") | string;
            /** @example Clearer wording. */
            summary?: string;
        };
        ChangeNoteInput: {
            /**
             * @example EDITORIAL
             * @enum {string}
             */
            kind?: "MATERIAL" | "EDITORIAL";
            /** @example Clearer wording. */
            summary?: string;
        };
        ChangeOperator: {
            /** @example deploy pipeline */
            name?: string;
            roles?: components["schemas"]["OperatorRoleInput"][];
        };
        ChangeOrigins: {
            /**
             * @example [
             *       "http://localhost:3000"
             *     ]
             */
            add?: string[];
            /**
             * @example test
             * @enum {string}
             */
            env: "test" | "live";
            /** @example [] */
            remove?: string[];
        };
        ChangeWebhookEndpoint: {
            /** @example Warehouse */
            description?: string | null;
            /** @example false */
            includeIdentifiers?: boolean;
            /**
             * @example PAUSED
             * @enum {string}
             */
            state?: "ENABLED" | "PAUSED";
            /**
             * @example [
             *       "consent.*",
             *       "subject.erased"
             *     ]
             */
            types?: string[];
            /** @example https://hooks.shop.example/assent */
            url?: string;
        };
        ChannelPreferences: {
            /** @example GRANTED */
            state: ("GRANTED" | "DENIED" | "PENDING" | "EXPIRED" | "UNSET") | string;
            topics: {
                [key: string]: components["schemas"]["TopicPreference"];
            };
            /** @example true */
            verified: boolean;
        };
        Collection: {
            /** @example 3 */
            bannerVersion?: number;
            display?: components["schemas"]["DisplayInput"];
            /** @example de */
            locale?: string;
            /**
             * @example SAVE_CHOICES
             * @enum {string}
             */
            method: "ACCEPT_ALL" | "REJECT_ALL" | "SAVE_CHOICES" | "TOGGLE" | "DISMISS" | "CHECKBOX" | "SIGNATURE" | "VERBAL" | "PAPER" | "SIGNAL" | "SCRIPT" | "OPERATOR" | "CONFIRMATION_LINK" | "IMPORT";
            /** @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
            noticeHash?: string;
            /** @example eyJhbGciOiJFZERTQSJ9.e30.c2ln */
            presentationToken?: string;
            /**
             * @example BANNER
             * @enum {string}
             */
            surface: "BANNER" | "DIALOG" | "PREFERENCE_CENTER" | "FORM" | "WIDGET" | "APP" | "CTV" | "CALL" | "API";
            /**
             * Format: uri
             * @example https://shop.example/checkout
             */
            url?: string;
        };
        Colours: {
            /** @example #ffffff */
            background?: string;
            /** @example #9a9996 */
            border?: string;
            /** @example #1a5fb4 */
            link?: string;
            /** @example #ffffff */
            onPrimary?: string;
            /** @example #14171b */
            onSecondary?: string;
            /** @example #1a5fb4 */
            primary?: string;
            /** @example #e6e6e6 */
            secondary?: string;
            /** @example #14171b */
            text?: string;
        };
        ColoursInput: {
            /** @example #ffffff */
            background?: string;
            /** @example #9a9996 */
            border?: string;
            /** @example #1a5fb4 */
            link?: string;
            /** @example #ffffff */
            onPrimary?: string;
            /** @example #14171b */
            onSecondary?: string;
            /** @example #1a5fb4 */
            primary?: string;
            /** @example #e6e6e6 */
            secondary?: string;
            /** @example #14171b */
            text?: string;
        };
        CompleteDataRequest: {
            corrections?: components["schemas"]["CorrectionInput"][];
            /** @example Agreed by phone. */
            note?: string;
            /**
             * @example COMPLETED
             * @enum {string}
             */
            outcome?: "COMPLETED" | "PARTIALLY_COMPLETED";
        };
        ConfirmationText: {
            /** @example Confirm */
            button: string;
            /** @example ltr */
            dir: ("ltr" | "rtl") | string;
            /** @example Demo Shop */
            footer: string;
            /** @example en */
            language: string;
            /**
             * @example [
             *       "You asked for: News."
             *     ]
             */
            paragraphs: string[];
            /** @example Please confirm */
            title: string;
        };
        ConfirmationToken: {
            /** @example https://consent.example/v1/preferences/confirm?token=cft_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHksIG5vdG8 */
            confirmUrl: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            expiresAt: string;
            /** @example cft_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHksIG5vdG8 */
            token: string;
        };
        ConfirmedField: {
            /** @example email */
            channel: string;
            /** @example channels.email.topics.news */
            field: string;
            /** @example PENDING */
            previousState?: ("GRANTED" | "DENIED" | "PENDING" | "EXPIRED" | "UNSET") | string;
            /** @example GRANTED */
            state?: ("GRANTED" | "DENIED" | "PENDING" | "EXPIRED" | "UNSET") | string;
            /** @example news */
            topic: string;
        };
        ConsentHistory: {
            data: components["schemas"]["ConsentHistoryItem"][];
            /** @example false */
            hasMore: boolean;
            /** @example null */
            nextCursor: string | null;
        };
        ConsentHistoryItem: {
            actor?: components["schemas"]["KeptActor"];
            /** @example true */
            appliedToState?: boolean;
            collection?: components["schemas"]["KeptCollection"];
            /** @example GRANTED */
            decision?: ("GRANTED" | "DENIED" | "WITHDRAWN" | "OBJECTED" | "ACKNOWLEDGED") | string;
            /** @example 0b5d6d0e-5b0a-5d3c-9a5e-7c1b2d4e8f90 */
            eventId: string;
            evidence?: components["schemas"]["KeptEvidence"][];
            /**
             * Format: date-time
             * @example 2027-11-21T12:00:00.000Z
             */
            expiresAt?: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            givenAt?: string;
            /** @example rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            id: string;
            jurisdiction?: components["schemas"]["Jurisdiction"];
            /** @example null */
            mergedFrom: string | null;
            /**
             * @example {
             *       "campaign": "autumn"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
            notice?: components["schemas"]["Notice"];
            /** @example consent_record */
            object: ("consent_record" | "consent_expiry") | string;
            presentation?: components["schemas"]["Presentation"];
            /** @example NOT_COLLECTED */
            previousState?: ("GRANTED" | "DENIED" | "WITHDRAWN" | "OBJECTED" | "ACKNOWLEDGED" | "PENDING" | "EXPIRED" | "NOT_COLLECTED") | string;
            provenance?: components["schemas"]["Provenance"];
            /** @example analytics */
            purpose: string;
            /** @example 1 */
            purposeVersion?: number;
            /** @example rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            receiptId: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            recordedAt: string;
            /** @example 2 */
            sequence: number;
            signals?: components["schemas"]["Signals"];
            /** @example API */
            source?: ("API" | "IMPORT" | "MIGRATION") | string;
            /** @example GRANTED */
            state: ("GRANTED" | "DENIED" | "WITHDRAWN" | "OBJECTED" | "ACKNOWLEDGED" | "PENDING" | "EXPIRED" | "NOT_COLLECTED") | string;
            /** @example null */
            supersededBy?: string | null;
            /** @example true */
            undated?: boolean;
            vendors?: components["schemas"]["Vendor"][];
        };
        ConsentRecord: {
            /** @example true */
            appliedToState: boolean;
            /** @example GRANTED */
            decision: ("GRANTED" | "DENIED" | "WITHDRAWN" | "OBJECTED" | "ACKNOWLEDGED") | string;
            /**
             * Format: date-time
             * @example 2027-11-21T12:00:00.000Z
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            givenAt: string;
            /** @example rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            id: string;
            /**
             * @example consent_record
             * @enum {string}
             */
            object: "consent_record";
            /** @example NOT_COLLECTED */
            previousState: ("GRANTED" | "DENIED" | "WITHDRAWN" | "OBJECTED" | "ACKNOWLEDGED" | "PENDING" | "EXPIRED" | "NOT_COLLECTED") | string;
            /** @example analytics */
            purpose: string;
            /** @example 1 */
            purposeVersion: number;
            /** @example rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            receiptId: string;
            /** @example rpt_mK2nq8bRk0xJmJm4nQfHj0Gq3v1m0XwqV9a1kM2c3d4 */
            receiptToken: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            recordedAt: string;
            /** @example 2 */
            sequence: number;
            /** @example API */
            source: ("API" | "IMPORT" | "MIGRATION") | string;
            /** @example GRANTED */
            state: ("GRANTED" | "DENIED" | "WITHDRAWN" | "OBJECTED" | "ACKNOWLEDGED" | "PENDING" | "EXPIRED" | "NOT_COLLECTED") | string;
            subject: components["schemas"]["SubjectId"];
            /** @example null */
            supersededBy: string | null;
        };
        ConsentState: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            asOf: string;
            purposes: {
                [key: string]: components["schemas"]["PurposeState"];
            };
            /** @example 2 */
            revision: number;
            subject: components["schemas"]["ReaderSubject"];
        };
        ConsentStatistics: {
            /** @example month */
            by: ("day" | "week" | "month") | string;
            /** @example null */
            country: string | null;
            /** @example without */
            imported: ("without" | "only") | string;
            /**
             * @example consent_statistics
             * @enum {string}
             */
            object: "consent_statistics";
            periods: components["schemas"]["StatisticsPeriod"][];
            /** @example analytics */
            purpose: string | null;
            /**
             * @example [
             *       "analytics"
             *     ]
             */
            purposes: string[];
            /** @example [] */
            series: components["schemas"]["StatisticsSeries"][];
            /** @example 10 */
            smallest: number;
            /** @example null */
            split: ("country" | "method" | "surface" | "locale" | "bannerVersion" | "purposeVersion") | string | null;
            /**
             * Format: date
             * @example 2026-12-01
             */
            through: string;
        };
        Controller: {
            address?: components["schemas"]["PostalAddress"];
            /** @example privacy@shop.example */
            contact: string;
            /** @example dpo@shop.example */
            dpoContact?: string;
            /**
             * Format: email
             * @example privacy@shop.example
             */
            email?: string;
            /** @example Shop Example GmbH */
            name: string;
            /** @example +49 30 901820 */
            phone?: string;
        };
        ControllerInput: {
            address?: components["schemas"]["PostalAddressInput"];
            /** @example privacy@shop.example */
            contact: string;
            /** @example dpo@shop.example */
            dpoContact?: string;
            /**
             * Format: email
             * @example privacy@shop.example
             */
            email?: string;
            /** @example Shop Example GmbH */
            name: string;
            /** @example +49 30 901820 */
            phone?: string;
        };
        Cookie: {
            /** @example ANALYTICS */
            category: ("NECESSARY" | "FUNCTIONAL" | "ANALYTICS" | "MARKETING" | "PERSONALIZATION" | "SOCIAL" | "SALE_SHARE" | "SENSITIVE" | "COMMUNICATION" | "OTHER") | string;
            /** @example Tells visits apart. */
            description: string;
            /** @example statistics.example */
            domain: string | null;
            /** @example PERSISTENT */
            duration: ("SESSION" | "PERSISTENT") | string;
            /** @example EXACT */
            match: ("EXACT" | "PREFIX" | "GLOB") | string;
            /** @example 34128000 */
            maxAgeSeconds: number | null;
            /** @example _stat */
            name: string;
            /** @example FIRST */
            party: ("FIRST" | "THIRD") | string;
            /** @example / */
            path: string;
            /**
             * @example [
             *       "analytics"
             *     ]
             */
            purposeKeys: string[];
            /** @example COOKIE */
            technology: ("COOKIE" | "LOCAL_STORAGE" | "SESSION_STORAGE" | "INDEXED_DB" | "CACHE_STORAGE" | "PIXEL" | "SCRIPT" | "IFRAME" | "SDK") | string;
            vendor: components["schemas"]["CatalogueVendor"] | null;
        };
        CookieFile: {
            /** @example ANALYTICS */
            category: ("NECESSARY" | "FUNCTIONAL" | "ANALYTICS" | "MARKETING" | "PERSONALIZATION" | "SOCIAL" | "SALE_SHARE" | "SENSITIVE" | "COMMUNICATION" | "OTHER") | string;
            /**
             * @example {
             *       "en": "Tells visits apart."
             *     }
             */
            description: {
                [key: string]: string;
            };
            /** @example statistics.example */
            domain?: string;
            /** @example PERSISTENT */
            duration?: ("SESSION" | "PERSISTENT") | string;
            /** @example EXACT */
            match?: ("EXACT" | "PREFIX" | "GLOB") | string;
            /** @example 34128000 */
            maxAgeSeconds?: number;
            /** @example _stat */
            name: string;
            /** @example FIRST */
            party?: ("FIRST" | "THIRD") | string;
            /** @example / */
            path?: string;
            /**
             * @example [
             *       "analytics"
             *     ]
             */
            purposeKeys: string[];
            /** @example COOKIE */
            technology?: ("COOKIE" | "LOCAL_STORAGE" | "SESSION_STORAGE" | "INDEXED_DB" | "CACHE_STORAGE" | "PIXEL" | "SCRIPT" | "IFRAME" | "SDK") | string;
            /** @example demo_statistics */
            vendor?: string;
        };
        CookieFileInput: {
            /**
             * @example ANALYTICS
             * @enum {string}
             */
            category: "NECESSARY" | "FUNCTIONAL" | "ANALYTICS" | "MARKETING" | "PERSONALIZATION" | "SOCIAL" | "SALE_SHARE" | "SENSITIVE" | "COMMUNICATION" | "OTHER";
            /**
             * @example {
             *       "en": "Tells visits apart."
             *     }
             */
            description: {
                [key: string]: string;
            };
            /** @example statistics.example */
            domain?: string;
            /**
             * @example PERSISTENT
             * @enum {string}
             */
            duration?: "SESSION" | "PERSISTENT";
            /**
             * @example EXACT
             * @enum {string}
             */
            match?: "EXACT" | "PREFIX" | "GLOB";
            /** @example 34128000 */
            maxAgeSeconds?: number;
            /** @example _stat */
            name: string;
            /**
             * @example FIRST
             * @enum {string}
             */
            party?: "FIRST" | "THIRD";
            /** @example / */
            path?: string;
            /**
             * @example [
             *       "analytics"
             *     ]
             */
            purposeKeys: string[];
            /**
             * @example COOKIE
             * @enum {string}
             */
            technology?: "COOKIE" | "LOCAL_STORAGE" | "SESSION_STORAGE" | "INDEXED_DB" | "CACHE_STORAGE" | "PIXEL" | "SCRIPT" | "IFRAME" | "SDK";
            /** @example demo_statistics */
            vendor?: string;
        };
        CookieList: {
            /**
             * @example [
             *       "de",
             *       "en"
             *     ]
             */
            availableLocales: string[];
            /** @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
            contentHash: string;
            data: components["schemas"]["Cookie"][];
            /** @example false */
            hasMore: boolean;
            /** @example en */
            locale: string;
            /** @example null */
            nextCursor: string | null;
            /**
             * @example cookie_list
             * @enum {string}
             */
            object: "cookie_list";
            /** @example 1 */
            version: number;
        };
        CookiesFile: {
            change?: components["schemas"]["TemplateChangeNote"];
            cookies: components["schemas"]["CookieFile"][];
            /** @example en */
            defaultLocale: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            effectiveFrom?: string;
        };
        CookiesFileInput: {
            change?: components["schemas"]["TemplateChangeNoteInput"];
            cookies: components["schemas"]["CookieFileInput"][];
            /** @example en */
            defaultLocale: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            effectiveFrom?: string;
        };
        Correction: {
            /** @example channels.email.topics.news */
            field?: string;
            /** @example email */
            kind: string;
            /** @example ada@example.org */
            replaces?: string;
            /** @example ada@example.net */
            value: boolean | string | number | unknown[] | null;
        };
        CorrectionInput: {
            /** @example channels.email.topics.news */
            field?: string;
            /** @example email */
            kind: string;
            /** @example ada@example.org */
            replaces?: string;
            /** @example ada@example.net */
            value: boolean | string | number | unknown[] | null;
        };
        CreateSubject: {
            /** @example DE */
            country?: string;
            identifiers: components["schemas"]["NewIdentifier"][];
            /** @example de-AT */
            locale?: string;
            /**
             * @example {
             *       "tier": "gold"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * @example API
             * @enum {string}
             */
            source?: "API" | "IMPORT" | "MIGRATION";
        };
        CreateWebhookEndpoint: {
            /** @example Warehouse */
            description?: string | null;
            /** @example false */
            includeIdentifiers?: boolean;
            /**
             * @example [
             *       "consent.*",
             *       "subject.erased"
             *     ]
             */
            types: string[];
            /** @example https://hooks.shop.example/assent */
            url: string;
        };
        DataCategory: {
            /** @example usage */
            key: string;
            /** @example false */
            sensitive: boolean;
        };
        DataCategoryInput: {
            /** @example usage */
            key: string;
            /** @example false */
            sensitive: boolean;
        };
        DataRequest: {
            /**
             * Format: date-time
             * @example null
             */
            acknowledgeBy: string | null;
            /** @example opt_4Zt8nXq2LmPa */
            assignee: string | null;
            clock: components["schemas"]["RequestClock"];
            /**
             * Format: date-time
             * @example null
             */
            closedAt: string | null;
            /** @example null */
            completing: ("COMPLETED" | "PARTIALLY_COMPLETED") | string | null;
            corrections: components["schemas"]["Correction"][];
            /** @example null */
            details: string | null;
            /**
             * Format: date-time
             * @example 2026-12-21T23:00:00.000Z
             */
            dueAt: string | null;
            /** @example null */
            duplicateOf: string | null;
            effect: components["schemas"]["RequestEffect"] | null;
            /**
             * Format: date-time
             * @example null
             */
            extendedDueAt: string | null;
            history: components["schemas"]["ReachedState"][];
            /** @example null */
            holdReason: ("AWAITING_REQUESTER" | "AWAITING_THIRD_PARTY" | "LEGAL_REVIEW" | "OTHER") | string | null;
            /** @example dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            id: string;
            jurisdiction: components["schemas"]["KnownPlace"] | null;
            /** @example de-AT */
            locale: string | null;
            /** @example null */
            note: string | null;
            notes: components["schemas"]["RequestNote"][];
            /**
             * @example data_request
             * @enum {string}
             */
            object: "data_request";
            /** @example false */
            overdue: boolean;
            period: components["schemas"]["RequestPeriod"];
            /** @example null */
            reasonCode: ("SUSPECTED_FRAUD" | "INSUFFICIENT_VERIFICATION" | "NO_MATCH" | "CLAIM_NOT_COVERED" | "OUTSIDE_JURISDICTION" | "TOO_MANY_REQUESTS" | "LEGAL_HOLD" | "EXEMPTION" | "MANIFESTLY_UNFOUNDED" | "EXCESSIVE" | "WITHDRAWN_BY_REQUESTER" | "OPENED_BY_MISTAKE" | "SUBJECT_ERASED") | string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            receivedAt: string;
            /** @example GDPR */
            regulation: string | null;
            requester: components["schemas"]["ShownRequester"];
            /** @example EMAIL */
            source: ("API" | "PORTAL" | "EMAIL" | "PHONE" | "POST") | string;
            /** @example RECEIVED */
            state: ("RECEIVED" | "AWAITING_VERIFICATION" | "VERIFIED" | "IN_PROGRESS" | "ON_HOLD" | "COMPLETED" | "PARTIALLY_COMPLETED" | "REJECTED" | "CANCELED" | "EXPIRED" | "DUPLICATE") | string;
            subject: components["schemas"]["SubjectIdOnly"];
            /** @example ACCESS */
            type: ("ACCESS" | "PORTABILITY" | "ERASURE" | "RECTIFICATION" | "RESTRICTION" | "OBJECTION" | "WITHDRAW_ALL" | "OPT_OUT_SALE_SHARE" | "OPT_OUT_TARGETED_ADS" | "OPT_OUT_PROFILING" | "LIMIT_SENSITIVE" | "KNOW_CATEGORIES" | "APPEAL" | "COMPLAINT") | string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            updatedAt: string;
            verification: components["schemas"]["RequestVerification"];
        };
        DataRequestCounts: {
            /** @example 3 */
            dueWithin7Days: number;
            /**
             * @example data_request_counts
             * @enum {string}
             */
            object: "data_request_counts";
            /** @example 3 */
            open: number;
            /** @example 3 */
            overdue: number;
            states: {
                [key: string]: number;
            };
            /** @example 3 */
            unassigned: number;
        };
        DataRequestList: {
            data: components["schemas"]["ListedDataRequest"][];
            /** @example false */
            hasMore: boolean;
            /** @example null */
            nextCursor: string | null;
        };
        DataRequestPlan: {
            corrections: components["schemas"]["PlannedCorrection"][];
            decisions: components["schemas"]["PlannedDecision"][];
            /** @example true */
            globalOptOut: boolean;
            /** @example dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            id: string;
            /** @example DECISIONS */
            kind: ("NONE" | "ERASURE" | "RESTRICTION" | "RECTIFICATION" | "DECISIONS" | "ARCHIVE") | string;
            /**
             * @example data_request_plan
             * @enum {string}
             */
            object: "data_request_plan";
            refused: components["schemas"]["IntakeError"] | null;
            /** @example WITHDRAW_ALL */
            type: ("ACCESS" | "PORTABILITY" | "ERASURE" | "RECTIFICATION" | "RESTRICTION" | "OBJECTION" | "WITHDRAW_ALL" | "OPT_OUT_SALE_SHARE" | "OPT_OUT_TARGETED_ADS" | "OPT_OUT_PROFILING" | "LIMIT_SENSITIVE" | "KNOW_CATEGORIES" | "APPEAL" | "COMPLAINT") | string;
        };
        DeclaredDraftFiles: {
            banner?: {
                [key: string]: unknown;
            };
            cookies?: {
                [key: string]: unknown;
            };
            policies?: {
                [key: string]: unknown;
            };
            /**
             * @example [
             *       {
             *         "key": "analytics",
             *         "legalBasis": "CONSENT",
             *         "consentModel": "OPT_IN",
             *         "category": "ANALYTICS",
             *         "controller": {
             *           "name": "Shop Example GmbH",
             *           "contact": "privacy@shop.example"
             *         },
             *         "defaultLocale": "en",
             *         "translations": {
             *           "en": {
             *             "name": "Statistics"
             *           }
             *         }
             *       }
             *     ]
             */
            purposes: unknown[];
            template?: {
                [key: string]: unknown;
            };
            vendors?: {
                [key: string]: unknown;
            };
        };
        DeclaredDraftFilesInput: {
            banner?: {
                [key: string]: unknown;
            };
            cookies?: {
                [key: string]: unknown;
            };
            policies?: {
                [key: string]: unknown;
            };
            /**
             * @example [
             *       {
             *         "key": "analytics",
             *         "legalBasis": "CONSENT",
             *         "consentModel": "OPT_IN",
             *         "category": "ANALYTICS",
             *         "controller": {
             *           "name": "Shop Example GmbH",
             *           "contact": "privacy@shop.example"
             *         },
             *         "defaultLocale": "en",
             *         "translations": {
             *           "en": {
             *             "name": "Statistics"
             *           }
             *         }
             *       }
             *     ]
             */
            purposes: unknown[];
            template?: {
                [key: string]: unknown;
            };
            vendors?: {
                [key: string]: unknown;
            };
        };
        DeletedWebhookEndpoint: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            deletedAt: string;
            /** @example whe_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            id: string;
        };
        DeliveredSubject: {
            /** @example sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            id: string;
        };
        Display: {
            checks: components["schemas"]["DisplayCheck"][];
            /** @example 1 */
            version: number;
            /** @example L */
            viewport: ("S" | "M" | "L") | string;
        };
        DisplayCheck: {
            /** @example EQUAL_SIZE */
            check: ("EQUAL_SIZE" | "EQUAL_WEIGHT" | "EQUAL_CONTRAST" | "TEXT_CONTRAST" | "TARGET_SIZE" | "NOTHING_TICKED" | "LANGUAGE") | string;
            /** @example 178x44 / 178x44 */
            measured: string;
            /** @example true */
            passed: boolean;
        };
        DisplayCheckInput: {
            /**
             * @example EQUAL_SIZE
             * @enum {string}
             */
            check: "EQUAL_SIZE" | "EQUAL_WEIGHT" | "EQUAL_CONTRAST" | "TEXT_CONTRAST" | "TARGET_SIZE" | "NOTHING_TICKED" | "LANGUAGE";
            /** @example 178x44 / 178x44 */
            measured: string;
            /** @example true */
            passed: boolean;
        };
        DisplayInput: {
            checks: components["schemas"]["DisplayCheckInput"][];
            /** @example 1 */
            version: number;
            /**
             * @example L
             * @enum {string}
             */
            viewport: "S" | "M" | "L";
        };
        Doubt: {
            /** @example national law under art. 8(1), from general knowledge */
            doubt: string;
            /** @example ageOfDigitalConsent */
            field: string;
        };
        DraftIssue: {
            /** @example is required */
            message: string;
            /** @example purposes[0].translations.de.name */
            path: string;
        };
        EndedSessions: {
            /** @example 2 */
            ended: number;
        };
        Erased: {
            /**
             * @example [
             *       "SUBJECT_KEY",
             *       "IDENTIFIERS"
             *     ]
             */
            destroyed: string[];
            /**
             * @example [
             *       "sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S"
             *     ]
             */
            subjects: string[];
        };
        EraseSubject: {
            /**
             * @example DATA_SUBJECT_REQUEST
             * @enum {string}
             */
            reason?: "DATA_SUBJECT_REQUEST" | "CONSENT_WITHDRAWN" | "NO_LONGER_NECESSARY" | "UNLAWFUL_PROCESSING" | "LEGAL_OBLIGATION" | "OTHER";
        };
        ErasureEvent: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            at: string;
            /** @example DATA_SUBJECT_REQUEST */
            reason: string | null;
            /**
             * @example ERASED
             * @enum {string}
             */
            state: "ERASED";
            /**
             * @example erasure
             * @enum {string}
             */
            type: "erasure";
        };
        ErasureReceipt: {
            /** @example eyJhbGciOiJFZERTQSJ9.e30.AAAA */
            jws: string;
            receipt: components["schemas"]["ErasureReceiptBody"];
        };
        ErasureReceiptBody: {
            /** @example test */
            environment: string;
            erased: components["schemas"]["Erased"];
            event: components["schemas"]["ErasureEvent"];
            /** @example rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            id: string;
            /** @example https://consent.shop.example */
            issuer: string;
            kept: components["schemas"]["Kept"][];
            /** @example urn:consent-receipt:1 */
            schema: string;
            /** @example shop */
            site: string;
            subject: components["schemas"]["SubjectIdOnly"];
        };
        EventData: {
            /**
             * @example {
             *       "object": "consent_record"
             *     }
             */
            object: {
                [key: string]: unknown;
            };
            /**
             * @example {
             *       "state": "NOT_COLLECTED"
             *     }
             */
            previous: {
                [key: string]: unknown;
            } | null;
        };
        EventList: {
            data: components["schemas"]["WebhookEvent"][];
            /** @example false */
            hasMore: boolean;
            /** @example 673 */
            nextCursor: string | null;
        };
        EventSubject: {
            /** @example sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T */
            id: string;
        };
        Evidence: {
            /** @example image/png */
            mediaType?: string;
            /** @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
            sha256: string;
            /** @example SCREENSHOT */
            type: string;
            /**
             * Format: uri
             * @example https://archive.example/proofs/17
             */
            uri?: string;
        };
        EvidenceSettings: {
            /** @example TRUNCATED */
            ip?: ("TRUNCATED" | "NONE") | string;
            /** @example true */
            userAgent?: boolean;
        };
        EvidenceSettingsInput: {
            /**
             * @example TRUNCATED
             * @enum {string}
             */
            ip?: "TRUNCATED" | "NONE";
            /** @example true */
            userAgent?: boolean;
        };
        ExplainedString: {
            differences: components["schemas"]["StringDifference"][];
            /** @example GPP */
            framework: ("TCF" | "GPP") | string;
            /** @example false */
            matches: boolean | null;
            /**
             * @example explained_string
             * @enum {string}
             */
            object: "explained_string";
            says: components["schemas"]["StringLine"][];
            /** @example null */
            vendorListKnown: boolean | null;
            /** @example null */
            vendorListVersion: number | null;
            /** @example [] */
            warnings: string[];
        };
        Explanation: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            asOf: string;
            because: components["schemas"]["Reasoning"][];
            /** @example BLOCKED */
            effective: ("ALLOWED" | "BLOCKED") | string;
            /** @example NEVER_ASKED */
            effectiveReason: ("EXPLICIT" | "POLICY_DEFAULT" | "SIGNAL_GPC" | "LEGAL_BASIS" | "EXPIRED" | "RENEWAL_REQUIRED" | "NEVER_ASKED" | "ERASED") | string;
            /** @example analytics */
            purpose: string;
            subject: components["schemas"]["ReaderSubject"];
        };
        ExtendDataRequest: {
            /** @example Agreed by phone. */
            note?: string;
        };
        FieldDifference: {
            /** @example Counts visits and clicks. */
            after: string | number | boolean | null | unknown[];
            /** @example Counts visits. */
            before: string | number | boolean | null | unknown[];
            /** @example CHANGED */
            change: ("ADDED" | "REMOVED" | "CHANGED" | "MOVED") | string;
            /** @example translations.en.description */
            path: string;
        };
        FieldValidation: {
            /** @example 120 */
            max?: number;
            /** @example 200 */
            maxLength?: number;
            /** @example 16 */
            min?: number;
            /** @example POSTAL_CODE */
            pattern?: ("DIGITS" | "LETTERS_AND_DIGITS" | "POSTAL_CODE" | "COUNTRY" | "LANGUAGE") | string;
            /** @example true */
            whole?: boolean;
        };
        FieldValidationInput: {
            /** @example 120 */
            max?: number;
            /** @example 200 */
            maxLength?: number;
            /** @example 16 */
            min?: number;
            /**
             * @example POSTAL_CODE
             * @enum {string}
             */
            pattern?: "DIGITS" | "LETTERS_AND_DIGITS" | "POSTAL_CODE" | "COUNTRY" | "LANGUAGE";
            /** @example true */
            whole?: boolean;
        };
        Finding: {
            /** @example clocks */
            check: string;
            /** @example null */
            fix: string | null;
            /** @example database is 0 ms ahead of this host */
            found: string;
            /** @example ok */
            verdict: ("ok" | "warn" | "fail") | string;
        };
        FoundSubject: {
            subject: components["schemas"]["SubjectIdOnly"];
        };
        Frameworks: {
            /**
             * @example [
             *       "analytics_storage"
             *     ]
             */
            google: (("ad_storage" | "analytics_storage" | "ad_user_data" | "ad_personalization" | "functionality_storage" | "personalization_storage" | "security_storage") | string)[];
            tcf: components["schemas"]["Tcf"];
            /**
             * @example [
             *       "SALE"
             *     ]
             */
            us: (("SALE" | "SHARING" | "TARGETED_ADVERTISING" | "ADDITIONAL_PROCESSING" | "SENSITIVE_RACE" | "SENSITIVE_RELIGION" | "SENSITIVE_HEALTH" | "SENSITIVE_SEX_LIFE" | "SENSITIVE_CITIZENSHIP" | "SENSITIVE_GENETIC" | "SENSITIVE_BIOMETRIC" | "SENSITIVE_GEOLOCATION" | "SENSITIVE_IDENTIFICATION" | "SENSITIVE_ACCOUNT_ACCESS" | "SENSITIVE_UNION" | "SENSITIVE_MESSAGES" | "SENSITIVE_CONSUMER_HEALTH" | "SENSITIVE_CRIME_VICTIM" | "SENSITIVE_NATIONAL_ORIGIN" | "SENSITIVE_TRANSGENDER") | string)[];
        };
        FrameworkSettings: {
            gpp: components["schemas"]["GppSettings"];
            tcf: components["schemas"]["TcfSettings"];
        };
        FrameworkSettingsChange: {
            gpp?: components["schemas"]["GppChange"];
            tcf?: components["schemas"]["TcfChange"];
        };
        FrameworksInput: {
            /**
             * @example [
             *       "analytics_storage"
             *     ]
             */
            google: ("ad_storage" | "analytics_storage" | "ad_user_data" | "ad_personalization" | "functionality_storage" | "personalization_storage" | "security_storage")[];
            tcf: components["schemas"]["TcfInput"];
            /**
             * @example [
             *       "SALE"
             *     ]
             */
            us: ("SALE" | "SHARING" | "TARGETED_ADVERTISING" | "ADDITIONAL_PROCESSING" | "SENSITIVE_RACE" | "SENSITIVE_RELIGION" | "SENSITIVE_HEALTH" | "SENSITIVE_SEX_LIFE" | "SENSITIVE_CITIZENSHIP" | "SENSITIVE_GENETIC" | "SENSITIVE_BIOMETRIC" | "SENSITIVE_GEOLOCATION" | "SENSITIVE_IDENTIFICATION" | "SENSITIVE_ACCOUNT_ACCESS" | "SENSITIVE_UNION" | "SENSITIVE_MESSAGES" | "SENSITIVE_CONSUMER_HEALTH" | "SENSITIVE_CRIME_VICTIM" | "SENSITIVE_NATIONAL_ORIGIN" | "SENSITIVE_TRANSGENDER")[];
        };
        GlobalOptOut: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            since: string | null;
            /** @example NONE */
            state: ("NONE" | "ACTIVE") | string;
        };
        GoogleConsent: {
            /** @example denied */
            ad_personalization: ("granted" | "denied") | string;
            /** @example denied */
            ad_storage: ("granted" | "denied") | string;
            /** @example denied */
            ad_user_data: ("granted" | "denied") | string;
            /** @example granted */
            analytics_storage: ("granted" | "denied") | string;
            /** @example granted */
            functionality_storage: ("granted" | "denied") | string;
            /** @example denied */
            personalization_storage: ("granted" | "denied") | string;
            /** @example granted */
            security_storage: ("granted" | "denied") | string;
        };
        GoogleConsentMode: {
            default: components["schemas"]["GoogleConsent"];
            /**
             * @example [
             *       "AT",
             *       "DE",
             *       "FR"
             *     ]
             */
            region: string[];
            update: components["schemas"]["GoogleConsent"];
            /** @example 500 */
            waitForUpdate: number;
        };
        GoogleDefaults: {
            /** @example denied */
            ad_personalization: ("granted" | "denied") | string;
            /** @example denied */
            ad_storage: ("granted" | "denied") | string;
            /** @example denied */
            ad_user_data: ("granted" | "denied") | string;
            /** @example denied */
            analytics_storage: ("granted" | "denied") | string;
            /** @example denied */
            functionality_storage: ("granted" | "denied") | string;
            /** @example denied */
            personalization_storage: ("granted" | "denied") | string;
            /** @example denied */
            security_storage: ("granted" | "denied") | string;
        };
        GppChange: {
            /**
             * @example STATE
             * @enum {string}
             */
            approach?: "STATE" | "NATIONAL";
            mspa?: components["schemas"]["MspaChange"];
            /** @example false */
            unsettledSections?: boolean;
        };
        GppSettings: {
            /** @example STATE */
            approach: ("STATE" | "NATIONAL") | string;
            mspa: components["schemas"]["MspaSettings"];
            /** @example false */
            unsettledSections: boolean;
        };
        GppString: {
            /**
             * @example [
             *       8
             *     ]
             */
            applicableSections: number[];
            /** @example true */
            gpc: boolean;
            /** @example DBABBg~BVWqqoCA.YA */
            gppString: string;
            /**
             * @example {
             *       "usca": {
             *         "SaleOptOut": 1
             *       }
             *     }
             */
            parsed: {
                [key: string]: unknown;
            };
            /**
             * @example [
             *       8
             *     ]
             */
            sectionIds: number[];
        };
        Health: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            checkedAt: string;
            findings: components["schemas"]["Finding"][];
            lastBackup: components["schemas"]["LastBackup"] | null;
            ledgerVerified: components["schemas"]["LastLedgerVerification"] | null;
            projections: components["schemas"]["ProjectionHealth"][];
            queues: components["schemas"]["QueueHealth"][];
            /** @example 0.1.0 */
            release: string;
            /**
             * @example [
             *       "write-api"
             *     ]
             */
            roles: string[];
            skipped: components["schemas"]["LeftOut"][];
            /** @example ok */
            status: ("ok" | "warn" | "fail") | string;
        };
        HoldDataRequest: {
            /** @example Agreed by phone. */
            note?: string;
            /**
             * @example AWAITING_REQUESTER
             * @enum {string}
             */
            reason: "AWAITING_REQUESTER" | "AWAITING_THIRD_PARTY" | "LEGAL_REVIEW" | "OTHER";
        };
        Identifier: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            addedAt: string;
            /** @example idn_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            id: string;
            /** @example email */
            kind: string;
            /** @example true */
            primary: boolean;
            /** @example API */
            source: ("API" | "IMPORT" | "MIGRATION") | string;
            /** @example ada@example.org */
            value: string | null;
            /** @example DOUBLE_OPT_IN */
            verificationMethod: ("DOUBLE_OPT_IN" | "IDENTITY_TOKEN" | "OPERATOR" | "IMPORT") | string | null;
            /** @example true */
            verified: boolean;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            verifiedAt: string | null;
        };
        Impact: {
            /** @example 120 */
            askAgain: number;
            /** @example 0 */
            becomeAllowed: number;
            /** @example 120 */
            becomeBlocked: number;
            /** @example DE */
            country: string | null;
            /** @example analytics */
            purpose: string;
        };
        Intake: {
            /**
             * @example data_request_intake
             * @enum {string}
             */
            object: "data_request_intake";
            results: components["schemas"]["IntakeResult"][];
            summary: components["schemas"]["IntakeSummary"];
        };
        IntakeError: {
            /** @example subject_ref_invalid */
            code: string;
            /** @example Send "email:ada@example.org". */
            hint: string;
            issues: components["schemas"]["IntakeIssue"][];
            /** @example The subject reference cannot be read. */
            message: string;
        };
        IntakeIssue: {
            /** @example cannot be read */
            message: string;
            /** @example subject */
            path: string;
        };
        IntakeResult: {
            error?: components["schemas"]["IntakeError"];
            /** @example 0 */
            index: number;
            request?: components["schemas"]["DataRequest"];
            /** @example OPENED */
            status: ("OPENED" | "DUPLICATE" | "REPLAYED" | "REJECTED") | string;
        };
        IntakeSummary: {
            /** @example 1 */
            duplicates: number;
            /** @example 1 */
            opened: number;
            /** @example 0 */
            rejected: number;
            /** @example 0 */
            replayed: number;
            /** @example 2 */
            total: number;
        };
        Issue: {
            /** @example is not a published purpose */
            message: string;
            /** @example records[3].purpose */
            path: string;
        };
        IssuedKey: {
            /** @example null */
            allowedOrigins: string[] | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            createdAt: string;
            /** @example operator:opt_first */
            createdBy: string;
            /** @example test */
            env: ("test" | "live") | string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            expiresAt: string | null;
            /** @example key_4Zt8nXq2LmPa */
            id: string;
            /** @example sk_test_… */
            key: string;
            /** @example x9Qz */
            last4: string;
            /** @example backend */
            name: string;
            /** @example null */
            replacedBy: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            revokedAt: string | null;
            /** @example null */
            rotatedFrom: string | null;
            /**
             * @example [
             *       "*"
             *     ]
             */
            scopes: string[];
            /** @example live */
            state: ("live" | "expired" | "revoked") | string;
            /** @example sk */
            type: ("pk" | "sk") | string;
        };
        IssuedOperatorToken: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            createdAt: string | null;
            /** @example operator:opt_first */
            createdBy: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            expiresAt: string | null;
            /** @example opt_4Zt8nXq2LmPa */
            id: string;
            /** @example x9Qz */
            last4: string | null;
            /** @example deploy pipeline */
            name: string;
            /** @example null */
            replacedBy: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            revokedAt: string | null;
            roles: components["schemas"]["OperatorRole"][];
            /** @example null */
            rotatedFrom: string | null;
            /** @example live */
            state: ("live" | "expired" | "revoked") | string;
            /** @example op_… */
            token: string;
        };
        IssueKey: {
            /**
             * @example [
             *       "https://shop.example"
             *     ]
             */
            allowedOrigins?: string[];
            /**
             * @example test
             * @enum {string}
             */
            env: "test" | "live";
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            expiresAt?: string;
            /** @example backend */
            name: string;
            /**
             * @example [
             *       "consent:read"
             *     ]
             */
            scopes?: ("consent:read" | "consent:write" | "preferences:read" | "preferences:write" | "receipts:read" | "history:read" | "catalogue:read" | "statistics:read" | "events:read" | "subjects:read" | "subjects:write" | "subjects:erase" | "requests:read" | "requests:write" | "webhooks:read" | "webhooks:write" | "portal-tokens:write")[];
            /**
             * @example sk
             * @enum {string}
             */
            type: "pk" | "sk";
        };
        IssueOperatorToken: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            expiresAt?: string | null;
            /** @example deploy pipeline */
            name: string;
            roles: components["schemas"]["OperatorRoleInput"][];
        };
        IssuePortalToken: {
            /** @example 900 */
            expiresInSeconds?: number;
            /** @example de-AT */
            locale?: string;
            /** @example https://demo.example/account */
            redirectUrl?: string;
            /**
             * @example [
             *       "preferences:read",
             *       "preferences:write"
             *     ]
             */
            scopes?: ("consent:read" | "consent:write" | "preferences:read" | "preferences:write" | "receipts:read" | "requests:read" | "requests:write")[];
            /** @example email:ada@example.org */
            subject: string;
        };
        ItemError: {
            /** @example purpose_unknown */
            code: string;
            /** @example List the published keys with GET /v1/purposes. */
            hint: string;
            issues: components["schemas"]["Issue"][];
            /** @example No purpose with that key is published. */
            message: string;
        };
        Journal: {
            data: components["schemas"]["JournalEntry"][];
            /** @example false */
            hasMore: boolean;
            /** @example null */
            nextCursor: string | null;
        };
        JournalEntry: {
            /** @example api_key_issued */
            action: ("subject_read" | "signed_in" | "sign_in_refused" | "signed_out" | "sessions_ended" | "consent_recorded" | "preference_set" | "preference_confirmation_requested" | "subject_created" | "identifier_added" | "identifier_verified" | "subject_rectified" | "subjects_merged" | "subject_merge_reverted" | "subject_erased" | "subject_restricted" | "subject_restriction_lifted" | "identifiers_revealed" | "data_request_received" | "data_request_verification_requested" | "data_request_verified" | "data_request_started" | "data_request_held" | "data_request_resumed" | "data_request_extended" | "data_request_completion_begun" | "data_request_completion_stopped" | "data_request_completed" | "data_request_rejected" | "data_request_canceled" | "data_request_marked_duplicate" | "data_request_assigned" | "data_request_noted" | "purpose_published" | "purpose_retired" | "template_published" | "vendors_published" | "cookies_published" | "banner_published" | "policies_published" | "catalogue_editing_changed" | "catalogue_draft_saved" | "catalogue_draft_discarded" | "catalogue_draft_published" | "webhook_endpoint_created" | "webhook_endpoint_changed" | "webhook_endpoint_paused" | "webhook_endpoint_resumed" | "webhook_secret_rotated" | "webhook_endpoint_deleted" | "webhook_test_requested" | "webhook_replay_requested" | "webhook_delivery_retried" | "site_registered" | "site_changed" | "api_key_issued" | "api_key_rotated" | "api_key_revoked" | "operator_token_issued" | "operator_token_rotated" | "operator_token_revoked" | "operator_token_changed" | "signing_key_announced" | "signing_key_revoked" | "projection_rebuilt" | "projection_resumed" | "projection_skipped" | "audit_exported" | "subject_shown" | "data_role_changed" | "log_accepted") | string;
            /**
             * @example {
             *       "type": "sk",
             *       "scopes": [
             *         "consent:write"
             *       ],
             *       "allowedOrigins": null,
             *       "name": "shop backend",
             *       "expiresAt": null
             *     }
             */
            after: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            at: string;
            /** @example null */
            before: {
                [key: string]: unknown;
            } | null;
            /** @example live */
            env: ("test" | "live") | string | null;
            /** @example 0b62f6de-3d6b-4a58-9a53-0c6e63e6e1ea */
            id: string;
            operator: components["schemas"]["JournalOperator"] | null;
            /** @example null */
            reason: string | null;
            /** @example req_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            requestId: string | null;
            /** @example null */
            session: string | null;
            /** @example shop */
            site: string | null;
            /** @example Secret key issued */
            summary: string;
            target: components["schemas"]["JournalTarget"] | null;
        };
        JournalOperator: {
            /** @example opt_4Zt8nXq2LmPa */
            id: string;
            /** @example deploy pipeline */
            name: string | null;
        };
        JournalTarget: {
            /** @example key_4Zt8nXq2LmPa */
            id: string | null;
            /** @example API_KEY */
            type: ("SUBJECT" | "DATA_REQUEST" | "PURPOSE" | "CATALOGUE" | "WEBHOOK_ENDPOINT" | "SITE" | "API_KEY" | "OPERATOR" | "SIGNING_KEY" | "PROJECTION" | "DATA_ROLE" | "LOG") | string;
        };
        Jurisdiction: {
            /** @example DE */
            country: string;
            /** @example US-CA */
            region?: string;
            /** @example DETECTED */
            source: ("DETECTED" | "DECLARED" | "DEFAULT") | string;
        };
        JurisdictionInput: {
            /** @example DE */
            country: string;
            /** @example US-CA */
            region?: string;
            /**
             * @example DETECTED
             * @enum {string}
             */
            source: "DETECTED" | "DECLARED" | "DEFAULT";
        };
        Kept: {
            /** @example ANONYMOUS_EVIDENCE */
            as: string;
            /**
             * @example [
             *       "GDPR art. 17(3)(e)"
             *     ]
             */
            under: string[];
            /** @example DECISIONS */
            what: string;
        };
        KeptActor: {
            /** @example agent-17 */
            id?: string | null;
            /** @example parent */
            relationship?: string | null;
            /** @example GUARDIAN */
            type: ("SUBJECT" | "GUARDIAN" | "AGENT" | "OPERATOR" | "SYSTEM") | string;
        };
        KeptChange: {
            /** @example true */
            appliedToState: boolean;
            /** @example email */
            channel: string | null;
            /** @example channels.email.topics.news */
            field: string;
            /** @example WEEKLY */
            frequency?: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            pausedUntil?: string | null;
            /** @example UNSET */
            previousState: ("GRANTED" | "DENIED" | "PENDING" | "EXPIRED" | "UNSET" | "SET") | string;
            /** @example PENDING */
            state: ("GRANTED" | "DENIED" | "PENDING" | "EXPIRED" | "UNSET" | "SET") | string;
            /** @example true */
            value: boolean | string | number | string[] | null;
        };
        KeptCollection: {
            /** @example 3 */
            bannerVersion?: number;
            display?: components["schemas"]["Display"];
            /** @example de */
            locale?: string;
            /** @example SAVE_CHOICES */
            method: ("ACCEPT_ALL" | "REJECT_ALL" | "SAVE_CHOICES" | "TOGGLE" | "DISMISS" | "CHECKBOX" | "SIGNATURE" | "VERBAL" | "PAPER" | "SIGNAL" | "SCRIPT" | "OPERATOR" | "CONFIRMATION_LINK" | "IMPORT") | string;
            /** @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
            noticeHash?: string;
            /** @example eyJhbGciOiJFZERTQSJ9.e30.c2ln */
            presentationToken?: string | null;
            /** @example BANNER */
            surface: ("BANNER" | "DIALOG" | "PREFERENCE_CENTER" | "FORM" | "WIDGET" | "APP" | "CTV" | "CALL" | "API") | string;
            /** @example https://shop.example/checkout */
            url?: string | null;
        };
        KeptEvidence: {
            /** @example image/png */
            mediaType?: string;
            /** @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
            sha256: string;
            /** @example SCREENSHOT */
            type: string;
            /** @example https://archive.example/proofs/17 */
            uri?: string | null;
        };
        Key: {
            /** @example null */
            allowedOrigins: string[] | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            createdAt: string;
            /** @example operator:opt_first */
            createdBy: string;
            /** @example test */
            env: ("test" | "live") | string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            expiresAt: string | null;
            /** @example key_4Zt8nXq2LmPa */
            id: string;
            /** @example x9Qz */
            last4: string;
            /** @example backend */
            name: string;
            /** @example null */
            replacedBy: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            revokedAt: string | null;
            /** @example null */
            rotatedFrom: string | null;
            /**
             * @example [
             *       "*"
             *     ]
             */
            scopes: string[];
            /** @example live */
            state: ("live" | "expired" | "revoked") | string;
            /** @example sk */
            type: ("pk" | "sk") | string;
        };
        KeyList: {
            data: components["schemas"]["ListedKey"][];
            /** @example false */
            hasMore: boolean;
            /** @example null */
            nextCursor: string | null;
        };
        KnownPlace: {
            /** @example DE */
            country: string;
            /** @example null */
            region: string | null;
            /** @example DECLARED */
            source?: ("DETECTED" | "DECLARED" | "DEFAULT") | string;
        };
        LastBackup: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            at: string;
            /** @example 0 */
            rows: number;
            /** @example 0 */
            tables: number;
        };
        LastLedgerVerification: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            at: string;
            /** @example 0 */
            breaks: number;
            /** @example 0 */
            leaves: number;
        };
        LastPublished: {
            /** @example PUBLISH */
            action: ("PUBLISH" | "RETIRE") | string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            at: string;
            /** @example operator:opt_first */
            by: string | null;
            /** @example analytics */
            key: string;
            /** @example 2 */
            version: number;
            /** @example purpose */
            what: string;
        };
        LedgerConsistency: {
            /** @example 6 */
            from: number;
            /**
             * @example [
             *       "DrxdNDf74tsVi58Sah0RjjCBgQMdCpSfje3t68VY72o="
             *     ]
             */
            hashes: string[];
            /** @example 7 */
            to: number;
        };
        LedgerOpening: {
            /** @example {"id":"0f9a1c1e-7c55-5ad5-9f62-6c3b0d7b8f11","stream":"subject-shop.live.sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T"} */
            record: string;
            /** @example bjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0= */
            salt: string;
        };
        LedgerProof: {
            /**
             * @example urn:assent:ledger:shop:live
             *     7
             *     3bib5AOAnjJXUNPSY814kpwpQreUKjS3fhIslZSnTIw=
             */
            checkpoint: string;
            /** @example bjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0= */
            entry: string;
            /**
             * @example [
             *       "vBoGQ7EuTS18d5GPROD095qDi2z57FtcKD4fTYhZnms="
             *     ]
             */
            hashes: string[];
            /** @example bjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0= */
            leafHash: string;
            /** @example 5 */
            leafIndex: number;
            opening: components["schemas"]["LedgerOpening"] | null;
            /** @example bjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0= */
            rootHash: string;
            /** @example 7 */
            treeSize: number;
        };
        LedgerVerifiers: {
            /** @example live */
            env: ("test" | "live") | string;
            /** @example urn:assent:ledger:shop:live */
            origin: string;
            /** @example /v1/ledgers/shop/live */
            prefix: string | null;
            /** @example shop */
            site: string;
            verifierKeys: components["schemas"]["VerifierKey"][];
        };
        LedgerVerifiersList: {
            data: components["schemas"]["LedgerVerifiers"][];
        };
        LeftOut: {
            /** @example false */
            everywhere: boolean;
            /** @example 4211 */
            position: string;
            /** @example consent_state */
            projection: string;
            /** @example ConsentRecorded */
            type: string | null;
        };
        LiftRestriction: {
            /** @example case closed */
            reason?: string;
        };
        LinkArchive: {
            /** @example 24 */
            expiresInHours?: number;
        };
        ListedDataRequest: {
            /**
             * Format: date-time
             * @example null
             */
            acknowledgeBy: string | null;
            /** @example opt_4Zt8nXq2LmPa */
            assignee: string | null;
            clock: components["schemas"]["RequestClock"];
            /**
             * Format: date-time
             * @example null
             */
            closedAt: string | null;
            /** @example null */
            completing: ("COMPLETED" | "PARTIALLY_COMPLETED") | string | null;
            /**
             * Format: date-time
             * @example 2026-12-21T23:00:00.000Z
             */
            dueAt: string | null;
            /** @example null */
            duplicateOf: string | null;
            effect: components["schemas"]["RequestEffect"] | null;
            /**
             * Format: date-time
             * @example null
             */
            extendedDueAt: string | null;
            /** @example null */
            holdReason: ("AWAITING_REQUESTER" | "AWAITING_THIRD_PARTY" | "LEGAL_REVIEW" | "OTHER") | string | null;
            /** @example dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            id: string;
            jurisdiction: components["schemas"]["KnownPlace"] | null;
            /**
             * @example data_request
             * @enum {string}
             */
            object: "data_request";
            /** @example false */
            overdue: boolean;
            /** @example null */
            reasonCode: ("SUSPECTED_FRAUD" | "INSUFFICIENT_VERIFICATION" | "NO_MATCH" | "CLAIM_NOT_COVERED" | "OUTSIDE_JURISDICTION" | "TOO_MANY_REQUESTS" | "LEGAL_HOLD" | "EXEMPTION" | "MANIFESTLY_UNFOUNDED" | "EXCESSIVE" | "WITHDRAWN_BY_REQUESTER" | "OPENED_BY_MISTAKE" | "SUBJECT_ERASED") | string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            receivedAt: string;
            /** @example GDPR */
            regulation: string | null;
            /** @example EMAIL */
            source: ("API" | "PORTAL" | "EMAIL" | "PHONE" | "POST") | string;
            /** @example RECEIVED */
            state: ("RECEIVED" | "AWAITING_VERIFICATION" | "VERIFIED" | "IN_PROGRESS" | "ON_HOLD" | "COMPLETED" | "PARTIALLY_COMPLETED" | "REJECTED" | "CANCELED" | "EXPIRED" | "DUPLICATE") | string;
            subject: components["schemas"]["SubjectIdOnly"];
            /** @example ACCESS */
            type: ("ACCESS" | "PORTABILITY" | "ERASURE" | "RECTIFICATION" | "RESTRICTION" | "OBJECTION" | "WITHDRAW_ALL" | "OPT_OUT_SALE_SHARE" | "OPT_OUT_TARGETED_ADS" | "OPT_OUT_PROFILING" | "LIMIT_SENSITIVE" | "KNOW_CATEGORIES" | "APPEAL" | "COMPLAINT") | string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            updatedAt: string;
            verification: components["schemas"]["RequestVerification"];
        };
        ListedKey: {
            /** @example null */
            allowedOrigins: string[] | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            createdAt: string;
            /** @example operator:opt_first */
            createdBy: string;
            /** @example test */
            env: ("test" | "live") | string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            expiresAt: string | null;
            /** @example key_4Zt8nXq2LmPa */
            id: string;
            /** @example x9Qz */
            last4: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            lastUsedAt: string | null;
            /** @example backend */
            name: string;
            /** @example null */
            replacedBy: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            revokedAt: string | null;
            /** @example null */
            rotatedFrom: string | null;
            /**
             * @example [
             *       "*"
             *     ]
             */
            scopes: string[];
            /** @example live */
            state: ("live" | "expired" | "revoked") | string;
            /** @example sk */
            type: ("pk" | "sk") | string;
        };
        ListedSigningKey: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            announcedAt: string | null;
            /** @example live */
            env: ("test" | "live") | string;
            /** @example kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k */
            kid: string;
            /**
             * Format: date-time
             * @example null
             */
            revokedAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            signsFrom: string | null;
            /**
             * Format: date-time
             * @example null
             */
            signsUntil: string | null;
            /** @example SIGNING */
            state: ("PUBLISHED" | "SIGNING" | "RETIRED" | "REVOKED") | string;
            /** @example 11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo */
            x: string;
        };
        ListedWebhookEndpoint: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            changedAt: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            createdAt: string;
            /** @example key_4Zt8nXq2LmPa */
            createdBy: string;
            /** @example Warehouse */
            description: string | null;
            /** @example null */
            disabledReason: ("GONE" | "FAILING") | string | null;
            health: components["schemas"]["WebhookHealth"] | null;
            /** @example whe_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            id: string;
            /** @example false */
            includeIdentifiers: boolean;
            /**
             * Format: date-time
             * @example null
             */
            previousSecretUntil: string | null;
            /** @example ENABLED */
            state: ("ENABLED" | "PAUSED" | "DISABLED") | string;
            /**
             * @example [
             *       "consent.*",
             *       "subject.erased"
             *     ]
             */
            types: string[];
            /** @example https://hooks.shop.example/assent */
            url: string;
        };
        Logo: {
            /** @example 5120 */
            bytes: number;
            /** @example 120 */
            height: number;
            /** @example image/png */
            mediaType: ("image/png" | "image/jpeg" | "image/webp") | string;
            /** @example 9f86d081… */
            sha256: string;
            /** @example 480 */
            width: number;
        };
        LogoFile: {
            /** @example iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQMAAAAlPW0iAAAAA1BMVEULV7ArJiktAAAADElEQVR4nGNgIA0AAAAwAAFiEwLZAAAAAElFTkSuQmCC */
            data: string;
        };
        LookUpSubject: {
            /** @example email */
            kind: string;
            /** @example ada@example.org */
            value: string;
        };
        MailDelivery: {
            /** @example 1 */
            attempts: number;
            /** @example 250 */
            code: string | null;
            /** @example <01KAK3V0ZC8W9J2M4N6P8Q0R2S@shop.example> */
            messageId: string;
            /** @example ACCEPTED */
            outcome: ("ACCEPTED" | "FAILED") | string;
            /** @example 2.0.0 Ok: queued */
            response: string | null;
        };
        May: {
            /** @example live */
            env: ("test" | "live") | string;
            /**
             * @example [
             *       "listSites"
             *     ]
             */
            operations: string[];
            /** @example shop */
            site: string;
        };
        MeasuredColor: {
            /** @example #0b57b0 */
            color: string;
            /** @example 6.98 */
            page: number;
            /** @example 6.98 */
            text: number;
            /** @example #ffffff */
            textColor: string;
        };
        MeasuredColors: {
            dark: components["schemas"]["MeasuredColor"];
            light: components["schemas"]["MeasuredColor"];
        };
        MergeConflict: {
            /** @example sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            chosen: string;
            /** @example channels.email.topics.news */
            field?: string;
            /** @example marketing */
            purpose?: string;
            /** @example MOST_RESTRICTIVE */
            rule: string;
            values: components["schemas"]["MergeValue"][];
        };
        MergeResult: {
            conflicts: components["schemas"]["MergeConflict"][];
            /** @example false */
            dryRun: boolean;
            /**
             * @example [
             *       "sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T"
             *     ]
             */
            merged: string[];
            /** @example mrg_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            mergeId: string | null;
            target: components["schemas"]["SubjectIdOnly"];
        };
        MergeSubjects: {
            /**
             * @example MOST_RESTRICTIVE
             * @enum {string}
             */
            conflictPolicy?: "MOST_RESTRICTIVE" | "MOST_RECENT" | "TARGET_WINS";
            /** @example false */
            dryRun?: boolean;
            /** @example same customer, ticket 4711 */
            reason?: string;
            /**
             * @example [
             *       "visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90"
             *     ]
             */
            sources: string[];
            /** @example email:ada@example.org */
            target: string;
        };
        MergeValue: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            givenAt: string | null;
            /** @example DENIED */
            state: string;
            /** @example sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            subject: string;
        };
        MspaChange: {
            /** @example false */
            covered?: boolean;
            /**
             * @example null
             * @enum {string|null}
             */
            mode?: "OPT_OUT" | "SERVICE_PROVIDER" | null;
        };
        MspaSettings: {
            /** @example false */
            covered: boolean;
            /** @example null */
            mode: ("OPT_OUT" | "SERVICE_PROVIDER") | string | null;
        };
        NewIdentifier: {
            /** @example email */
            kind: string;
            /** @example ada@example.org */
            value: string;
            /** @example true */
            verified?: boolean;
        };
        NoteDataRequest: {
            /** @example Called, no answer. */
            text: string;
        };
        Notice: {
            /** @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
            contentHash: string;
            /** @example en */
            locale: string;
        };
        ObjectDifference: {
            /** @example CHANGED */
            action: ("ADDED" | "RETIRED" | "CHANGED") | string;
            /** @example 2 */
            after: number | null;
            /** @example 1 */
            before: number | null;
            fields: components["schemas"]["FieldDifference"][];
            /** @example analytics */
            key: string;
            /** @example purpose */
            object: ("purpose" | "preference_template" | "vendors" | "cookies" | "banner" | "policies") | string;
        };
        OpenDataRequest: {
            corrections?: components["schemas"]["CorrectionInput"][];
            /** @example Please send me everything since 2024. */
            details?: string;
            jurisdiction?: components["schemas"]["Place"];
            /** @example de-AT */
            locale?: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            receivedAt?: string;
            /** @example GDPR */
            regulation?: string;
            requester?: components["schemas"]["Requester"];
            /**
             * @example EMAIL
             * @enum {string}
             */
            source?: "API" | "PORTAL" | "EMAIL" | "PHONE" | "POST";
            /** @example email:ada@example.org */
            subject: string;
            /**
             * @example ACCESS
             * @enum {string}
             */
            type: "ACCESS" | "PORTABILITY" | "ERASURE" | "RECTIFICATION" | "RESTRICTION" | "OBJECTION" | "WITHDRAW_ALL" | "OPT_OUT_SALE_SHARE" | "OPT_OUT_TARGETED_ADS" | "OPT_OUT_PROFILING" | "LIMIT_SENSITIVE" | "KNOW_CATEGORIES" | "APPEAL" | "COMPLAINT";
        };
        OpenDataRequests: {
            requests: components["schemas"]["OpenDataRequest"][];
        };
        Operator: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            createdAt: string | null;
            /** @example operator:opt_first */
            createdBy: string | null;
            /** @example null */
            email: string | null;
            /** @example opt_4Zt8nXq2LmPa */
            id: string;
            /** @example PROGRAM */
            kind: ("PERSON" | "PROGRAM") | string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            lastSeenAt: string | null;
            /** @example deploy pipeline */
            name: string | null;
            roles: components["schemas"]["OperatorRole"][];
            /** @example TOKEN */
            source: ("TOKEN" | "OIDC") | string;
            /** @example ACTIVE */
            state: ("ACTIVE" | "ENDED") | string;
        };
        OperatorList: {
            data: components["schemas"]["Operator"][];
            /** @example false */
            hasMore: boolean;
            /** @example null */
            nextCursor: string | null;
        };
        OperatorRole: {
            /** @example * */
            env: ("test" | "live" | "*") | string;
            /** @example PRIVACY */
            role: ("VIEWER" | "SUPPORT" | "EDITOR" | "PRIVACY" | "DEVELOPER" | "AUDITOR" | "ADMIN") | string;
            /** @example shop */
            site: string;
        };
        OperatorRoleInput: {
            /**
             * @example *
             * @enum {string}
             */
            env: "test" | "live" | "*";
            /**
             * @example PRIVACY
             * @enum {string}
             */
            role: "VIEWER" | "SUPPORT" | "EDITOR" | "PRIVACY" | "DEVELOPER" | "AUDITOR" | "ADMIN";
            /** @example shop */
            site: string;
        };
        OperatorSession: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            beganAt: string;
            /** @example true */
            current: boolean;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            endsAt: string;
            /** @example ses_9f86d081884c7d659a2feaa0c55ad015 */
            id: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            lastSeenAt: string;
        };
        OperatorSessionList: {
            data: components["schemas"]["OperatorSession"][];
        };
        OperatorToken: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            createdAt: string | null;
            /** @example operator:opt_first */
            createdBy: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            expiresAt: string | null;
            /** @example opt_4Zt8nXq2LmPa */
            id: string;
            /** @example x9Qz */
            last4: string | null;
            /** @example deploy pipeline */
            name: string;
            /** @example null */
            replacedBy: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            revokedAt: string | null;
            roles: components["schemas"]["OperatorRole"][];
            /** @example null */
            rotatedFrom: string | null;
            /** @example live */
            state: ("live" | "expired" | "revoked") | string;
        };
        OperatorTokenList: {
            data: components["schemas"]["OperatorToken"][];
            /** @example false */
            hasMore: boolean;
            /** @example null */
            nextCursor: string | null;
        };
        OptOutChange: {
            /** @example true */
            appliedToState: boolean;
            /** @example NONE */
            previousState: ("NONE" | "ACTIVE") | string;
            /** @example ACTIVE */
            state: ("NONE" | "ACTIVE") | string;
        };
        Origins: {
            /**
             * @example [
             *       "https://shop.example"
             *     ]
             */
            live?: string[];
            /**
             * @example [
             *       "http://localhost:3000"
             *     ]
             */
            test?: string[];
        };
        OriginsInput: {
            /**
             * @example [
             *       "https://shop.example"
             *     ]
             */
            live?: string[];
            /**
             * @example [
             *       "http://localhost:3000"
             *     ]
             */
            test?: string[];
        };
        OverriddenBy: {
            /**
             * Format: date-time
             * @example null
             */
            effectiveFrom: string | null;
            /**
             * @example [
             *       "consentValidityDays"
             *     ]
             */
            fields: (("model" | "categories" | "bannerRequired" | "rejectRequired" | "consentValidityDays" | "refusalCooldownDays" | "signals" | "doubleOptIn" | "ageOfDigitalConsent") | string)[];
            /** @example DE */
            place: string;
            /** @example Data protection officer */
            who: string;
            /** @example The supervisory authority advises half a year. */
            why: string;
        };
        OwnDefaultsFile: {
            /** @example DENIED */
            ANALYTICS?: ("GRANTED" | "DENIED") | string;
            /** @example DENIED */
            COMMUNICATION?: ("GRANTED" | "DENIED") | string;
            /** @example DENIED */
            FUNCTIONAL?: ("GRANTED" | "DENIED") | string;
            /** @example DENIED */
            MARKETING?: ("GRANTED" | "DENIED") | string;
            /** @example DENIED */
            OTHER?: ("GRANTED" | "DENIED") | string;
            /** @example DENIED */
            PERSONALIZATION?: ("GRANTED" | "DENIED") | string;
            /** @example DENIED */
            SALE_SHARE?: ("GRANTED" | "DENIED") | string;
            /** @example DENIED */
            SENSITIVE?: ("GRANTED" | "DENIED") | string;
            /** @example DENIED */
            SOCIAL?: ("GRANTED" | "DENIED") | string;
        };
        OwnDefaultsFileInput: {
            /**
             * @example DENIED
             * @enum {string}
             */
            ANALYTICS?: "GRANTED" | "DENIED";
            /**
             * @example DENIED
             * @enum {string}
             */
            COMMUNICATION?: "GRANTED" | "DENIED";
            /**
             * @example DENIED
             * @enum {string}
             */
            FUNCTIONAL?: "GRANTED" | "DENIED";
            /**
             * @example DENIED
             * @enum {string}
             */
            MARKETING?: "GRANTED" | "DENIED";
            /**
             * @example DENIED
             * @enum {string}
             */
            OTHER?: "GRANTED" | "DENIED";
            /**
             * @example DENIED
             * @enum {string}
             */
            PERSONALIZATION?: "GRANTED" | "DENIED";
            /**
             * @example DENIED
             * @enum {string}
             */
            SALE_SHARE?: "GRANTED" | "DENIED";
            /**
             * @example DENIED
             * @enum {string}
             */
            SENSITIVE?: "GRANTED" | "DENIED";
            /**
             * @example DENIED
             * @enum {string}
             */
            SOCIAL?: "GRANTED" | "DENIED";
        };
        OwnSignalsFile: {
            /** @example BINDING */
            gpc: ("BINDING" | "ADVISORY" | "IGNORED") | string;
        };
        OwnSignalsFileInput: {
            /**
             * @example BINDING
             * @enum {string}
             */
            gpc: "BINDING" | "ADVISORY" | "IGNORED";
        };
        Place: {
            /** @example DE */
            country: string;
            /** @example US-CA */
            region?: string;
            /**
             * @example DECLARED
             * @enum {string}
             */
            source?: "DETECTED" | "DECLARED" | "DEFAULT";
        };
        PlaceSummary: {
            endpoints: components["schemas"]["SummaryEndpoints"];
            /** @example live */
            env: ("test" | "live") | string;
            grants: components["schemas"]["SummaryGrants"];
            /** @example 0 */
            lagSeconds: number | null;
            lastPublished: components["schemas"]["LastPublished"][];
            needs: components["schemas"]["SummaryNeed"][];
            /** @example 41 */
            renewals: number | null;
            requests: components["schemas"]["SummaryRequests"];
            /** @example shop */
            site: string;
        };
        PlanDataRequest: {
            corrections?: components["schemas"]["CorrectionInput"][];
        };
        PlannedCorrection: {
            /** @example ada@example.net */
            after: string | null;
            /** @example ada@example.org */
            before: string | null;
            /** @example null */
            field: string | null;
            /** @example email */
            kind: string;
        };
        PlannedDecision: {
            /** @example WITHDRAWN */
            decision: string;
            /** @example analytics */
            purpose: string;
        };
        Poison: {
            /** @example unknown type */
            error: string | null;
            /** @example 4211 */
            position: string;
            /** @example ConsentRecorded */
            type: string | null;
        };
        PoliciesFile: {
            change?: components["schemas"]["TemplateChangeNote"];
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            effectiveFrom?: string;
            policies: components["schemas"]["PolicyOverrideFile"][];
        };
        PoliciesFileInput: {
            change?: components["schemas"]["TemplateChangeNoteInput"];
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            effectiveFrom?: string;
            policies: components["schemas"]["PolicyOverrideFileInput"][];
        };
        Policy: {
            /** @example 16 */
            ageOfDigitalConsent: number | null;
            /**
             * Format: date
             * @example 2026-11-21
             */
            asOf: string;
            /** @example true */
            bannerRequired: boolean;
            categories: components["schemas"]["CategoryPolicy"][];
            /** @example 365 */
            consentValidityDays: number | null;
            /** @example DE */
            country: string | null;
            dataRequests: components["schemas"]["RequestPeriods"];
            /** @example RECOMMENDED */
            doubleOptIn: ("REQUIRED" | "RECOMMENDED" | "NONE") | string;
            doubts: components["schemas"]["Doubt"][];
            /**
             * Format: date-time
             * @example 2018-05-24T22:00:00.000Z
             */
            effectiveFrom: string | null;
            /**
             * Format: date-time
             * @example null
             */
            effectiveTo: string | null;
            /** @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
            fingerprint: string;
            /**
             * @example [
             *       "TCF",
             *       "GPP",
             *       "GOOGLE"
             *     ]
             */
            frameworks: (("TCF" | "GPP" | "GOOGLE") | string)[];
            /**
             * @example [
             *       2
             *     ]
             */
            gppSections: number[];
            /** @example DE.2018-05-25 */
            id: string;
            /** @example COUNTRY */
            matchedBy: ("REGION" | "COUNTRY" | "FALLBACK") | string;
            /** @example OPT_IN */
            model: ("OPT_IN" | "OPT_OUT" | "NOTICE_ONLY" | "NONE") | string;
            /** @example true */
            notLegalAdvice: boolean;
            /**
             * @example policy
             * @enum {string}
             */
            object: "policy";
            /** @example [] */
            overriddenBy: components["schemas"]["OverriddenBy"][];
            /** @example null */
            refusalCooldownDays: number | null;
            /** @example null */
            region: string | null;
            /** @example GDPR */
            regulation: string | null;
            regulations: components["schemas"]["Regulation"][];
            /** @example true */
            rejectRequired: boolean;
            /** @example true */
            review: boolean;
            signals: components["schemas"]["PolicySignals"];
        };
        PolicyChangesFile: {
            /** @example 16 */
            ageOfDigitalConsent?: number | null;
            /** @example true */
            bannerRequired?: boolean;
            categories?: components["schemas"]["OwnDefaultsFile"];
            /** @example 180 */
            consentValidityDays?: number | null;
            /** @example REQUIRED */
            doubleOptIn?: ("REQUIRED" | "RECOMMENDED" | "NONE") | string;
            /** @example OPT_IN */
            model?: ("OPT_IN" | "OPT_OUT" | "NOTICE_ONLY" | "NONE") | string;
            /** @example 180 */
            refusalCooldownDays?: number | null;
            /** @example true */
            rejectRequired?: boolean;
            signals?: components["schemas"]["OwnSignalsFile"];
        };
        PolicyChangesFileInput: {
            /** @example 16 */
            ageOfDigitalConsent?: number | null;
            /** @example true */
            bannerRequired?: boolean;
            categories?: components["schemas"]["OwnDefaultsFileInput"];
            /** @example 180 */
            consentValidityDays?: number | null;
            /**
             * @example REQUIRED
             * @enum {string}
             */
            doubleOptIn?: "REQUIRED" | "RECOMMENDED" | "NONE";
            /**
             * @example OPT_IN
             * @enum {string}
             */
            model?: "OPT_IN" | "OPT_OUT" | "NOTICE_ONLY" | "NONE";
            /** @example 180 */
            refusalCooldownDays?: number | null;
            /** @example true */
            rejectRequired?: boolean;
            signals?: components["schemas"]["OwnSignalsFileInput"];
        };
        PolicyOverrideFile: {
            changes: components["schemas"]["PolicyChangesFile"];
            /** @example DE */
            country: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            effectiveFrom?: string;
            /** @example US-CA */
            region?: string;
            /** @example Data protection officer */
            who: string;
            /** @example The supervisory authority advises half a year. */
            why: string;
        };
        PolicyOverrideFileInput: {
            changes: components["schemas"]["PolicyChangesFileInput"];
            /** @example DE */
            country: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            effectiveFrom?: string;
            /** @example US-CA */
            region?: string;
            /** @example Data protection officer */
            who: string;
            /** @example The supervisory authority advises half a year. */
            why: string;
        };
        PolicySignals: {
            /** @example IGNORED */
            gpc: ("BINDING" | "ADVISORY" | "IGNORED") | string;
        };
        PortalToken: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:15:00.000Z
             */
            expiresAt: string;
            /** @example eyJhbGciOiJFZERTQSIsImtpZCI6ImsiLCJ0eXAiOiJjb25zZW50LXBvcnRhbCtqd3QifQ.e30.c2ln */
            token: string;
            /**
             * Format: uri
             * @example https://consent.example/portal/shop/live#eyJhbGciOiJFZERTQSIsImtpZCI6ImsiLCJ0eXAiOiJjb25zZW50LXBvcnRhbCtqd3QifQ.e30.c2ln
             */
            url: string;
        };
        PostalAddress: {
            /** @example DE */
            addressCountry: string;
            /** @example Berlin */
            addressLocality?: string;
            /** @example Berlin */
            addressRegion?: string;
            /** @example 10115 */
            postalCode?: string;
            /** @example Beispielweg 1 */
            streetAddress: string;
        };
        PostalAddressInput: {
            /** @example DE */
            addressCountry: string;
            /** @example Berlin */
            addressLocality?: string;
            /** @example Berlin */
            addressRegion?: string;
            /** @example 10115 */
            postalCode?: string;
            /** @example Beispielweg 1 */
            streetAddress: string;
        };
        PreferenceBatchItem: {
            actor?: components["schemas"]["Actor"];
            /** @example email */
            channel?: string;
            collection?: components["schemas"]["Collection"];
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            givenAt?: string;
            /** @example 90 */
            givenSecondsAgo?: number;
            /** @example false */
            globalOptOut?: boolean;
            /** @example import-17-row-4 */
            idempotencyKey?: string;
            /**
             * @example {
             *       "campaign": "autumn"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * @example API
             * @enum {string}
             */
            source?: "API" | "IMPORT" | "MIGRATION";
            /** @example visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90 */
            subject: string;
            values?: components["schemas"]["PreferenceValue"][];
        };
        PreferenceBatchResult: {
            /** @example PARTIAL */
            mode: ("PARTIAL" | "ATOMIC") | string;
            /**
             * @example batch_result
             * @enum {string}
             */
            object: "batch_result";
            results: components["schemas"]["PreferenceItemResult"][];
            summary: components["schemas"]["BatchSummary"];
        };
        PreferenceChange: {
            /** @example true */
            appliedToState: boolean;
            /** @example email */
            channel: string | null;
            /** @example channels.email.topics.news */
            field: string;
            /** @example UNSET */
            previousState: ("GRANTED" | "DENIED" | "PENDING" | "EXPIRED" | "UNSET" | "SET") | string;
            /** @example PENDING */
            state: ("GRANTED" | "DENIED" | "PENDING" | "EXPIRED" | "UNSET" | "SET") | string;
            /** @example true */
            value: boolean | string | number | string[] | null;
        };
        PreferenceHistory: {
            data: components["schemas"]["PreferenceHistoryItem"][];
            /** @example false */
            hasMore: boolean;
            /** @example null */
            nextCursor: string | null;
        };
        PreferenceHistoryItem: {
            actor?: components["schemas"]["KeptActor"];
            changes?: components["schemas"]["KeptChange"][];
            collection?: components["schemas"]["KeptCollection"];
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            confirmedAt?: string;
            delivery?: components["schemas"]["MailDelivery"];
            /** @example [] */
            endedRequests?: string[];
            /** @example 0b5d6d0e-5b0a-5d3c-9a5e-7c1b2d4e8f90 */
            eventId: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            expiresAt?: string;
            fields?: components["schemas"]["ConfirmedField"][];
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            givenAt?: string;
            globalOptOut?: components["schemas"]["OptOutChange"];
            /** @example rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            id: string;
            mail?: components["schemas"]["RequestedMail"];
            /** @example null */
            mergedFrom: string | null;
            /**
             * @example {
             *       "campaign": "autumn"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @example preference_record */
            object: ("preference_record" | "preference_confirmation_request" | "preference_confirmation_mail" | "preference_confirmation" | "preference_confirmation_expiry") | string;
            presentation?: components["schemas"]["Presentation"];
            provenance?: components["schemas"]["Provenance"];
            /** @example rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            receiptId: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            recordedAt: string;
            /** @example https://shop.example/thanks */
            redirectUrl?: string | null;
            /** @example rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            requestId?: string;
            /** @example 2 */
            sequence: number;
            /** @example API */
            source?: ("API" | "IMPORT" | "MIGRATION") | string;
            template?: components["schemas"]["TemplateShown"];
            text?: components["schemas"]["ConfirmationText"];
            /** @example true */
            undated?: boolean;
            /** @example rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            undoes?: string;
            /** @example PAGE */
            via?: ("PAGE" | "API") | string;
        };
        PreferenceItemResult: {
            error?: components["schemas"]["ItemError"];
            /** @example 0 */
            index: number;
            record?: components["schemas"]["PreferenceRecord"];
            /** @example RECORDED */
            status: ("RECORDED" | "REPLAYED" | "REJECTED" | "NOT_APPLIED") | string;
        };
        PreferenceRecord: {
            changes: components["schemas"]["PreferenceChange"][];
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            givenAt: string;
            globalOptOut: components["schemas"]["OptOutChange"] | null;
            /** @example rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            id: string;
            /**
             * @example preference_record
             * @enum {string}
             */
            object: "preference_record";
            /** @example rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            receiptId: string;
            /** @example rpt_mK2nq8bRk0xJmJm4nQfHj0Gq3v1m0XwqV9a1kM2c3d4 */
            receiptToken: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            recordedAt: string;
            /** @example 2 */
            sequence: number;
            /** @example API */
            source: ("API" | "IMPORT" | "MIGRATION") | string;
            subject: components["schemas"]["SubjectIdOnly"];
        };
        Preferences: {
            channels: {
                [key: string]: components["schemas"]["ChannelPreferences"];
            };
            fields: {
                [key: string]: components["schemas"]["TypedField"];
            };
            globalOptOut: components["schemas"]["GlobalOptOut"];
            /** @example 2 */
            revision: number;
            subject: components["schemas"]["ReaderSubject"];
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            updatedAt: string | null;
        };
        PreferenceTemplate: {
            /**
             * @example [
             *       "de",
             *       "en"
             *     ]
             */
            availableLocales: string[];
            change: components["schemas"]["TemplateChange"] | null;
            channels: components["schemas"]["TemplateChannel"][];
            /** @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
            contentHash: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            effectiveFrom: string | null;
            /** @example en */
            locale: string;
            /**
             * @example preference_template
             * @enum {string}
             */
            object: "preference_template";
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            publishedAt: string | null;
            sections: components["schemas"]["TemplateSection"][];
            /** @example 1 */
            version: number;
        };
        PreferenceValue: {
            /** @example channels.email.topics.news */
            field: string;
            /** @example WEEKLY */
            frequency?: string | null;
            /**
             * Format: date-time
             * @example 2027-01-01T00:00:00.000Z
             */
            pausedUntil?: string | null;
            /** @example true */
            value?: boolean | string | number | unknown[] | null;
        };
        Presentation: {
            banner: components["schemas"]["ShownBanner"];
            buttons: components["schemas"]["BannerButton"][];
            policy: components["schemas"]["ShownPolicy"];
            purposes: components["schemas"]["ShownPurpose"][];
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            shownAt: string;
        };
        PreviewBanner: {
            /** @example DE */
            country: string;
            files?: components["schemas"]["DeclaredDraftFilesInput"];
            /** @example en */
            locale?: string;
            /**
             * @example OPT_OUT
             * @enum {string}
             */
            model?: "OPT_IN" | "OPT_OUT" | "NOTICE_ONLY" | "NONE";
            /** @example US-CA */
            region?: string;
        };
        ProjectionHealth: {
            /** @example 4211 */
            head: string;
            /** @example 0 */
            lagEvents: number | null;
            /** @example 0 */
            lagSeconds: number;
            /** @example true */
            live: boolean;
            /** @example consent_state */
            name: string;
            poison: components["schemas"]["Poison"] | null;
            /** @example 4211 */
            position: string;
            /** @example null */
            rate: number | null;
            /** @example 0 */
            rebuild: number;
            /** @example running */
            state: ("running" | "building" | "awaiting" | "stopped" | "missing") | string;
            /** @example 3 */
            version: number;
        };
        Provenance: {
            identity?: components["schemas"]["Vouched"];
            /** @example 203.0.113.0 */
            ip?: string | null;
            /** @example key_4Zt8nXq2LmPa */
            keyId: string;
            /** @example https://shop.example */
            origin?: string;
            /** @example Firefox 140 */
            userAgent?: string | null;
        };
        PublishedText: {
            /**
             * @example {
             *       "version": 1,
             *       "locale": "en",
             *       "text": {
             *         "name": "Statistics",
             *         "legalText": ""
             *       }
             *     }
             */
            content: {
                [key: string]: unknown;
            };
            /** @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
            contentHash: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            effectiveFrom: string;
            /** @example analytics */
            key: string | null;
            /** @example PURPOSE */
            kind: ("PURPOSE" | "BANNER" | "PREFERENCE_TEMPLATE") | string;
            /** @example en */
            locale: string;
            /**
             * @example notice
             * @enum {string}
             */
            object: "notice";
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            publishedAt: string;
            /** @example 1 */
            version: number;
        };
        Purpose: {
            /**
             * @example [
             *       "de",
             *       "en"
             *     ]
             */
            availableLocales: string[];
            /** @example ANALYTICS */
            category: ("NECESSARY" | "FUNCTIONAL" | "ANALYTICS" | "MARKETING" | "PERSONALIZATION" | "SOCIAL" | "SALE_SHARE" | "SENSITIVE" | "COMMUNICATION" | "OTHER") | string;
            change: components["schemas"]["PurposeChange"];
            /** @example OPT_IN */
            consentModel: ("OPT_IN" | "OPT_OUT" | "NOTICE_ONLY" | "ALWAYS_ON") | string;
            /** @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
            contentHash: string;
            controller: components["schemas"]["Controller"];
            /**
             * @example [
             *       "_stat"
             *     ]
             */
            cookies: string[];
            dataCategories: components["schemas"]["DataCategory"][];
            /** @example Counts visits so that we can improve the shop. */
            description: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            effectiveFrom: string;
            frameworks: components["schemas"]["Frameworks"];
            /** @example false */
            gpc: boolean;
            /** @example analytics */
            key: string;
            /** @example CONSENT */
            legalBasis: ("CONSENT" | "CONTRACT" | "LEGAL_OBLIGATION" | "VITAL_INTERESTS" | "PUBLIC_TASK" | "LEGITIMATE_INTERESTS") | string;
            /** @example We process usage data on the basis of your consent. */
            legalText: string;
            /** @example en */
            locale: string;
            /** @example Statistics */
            name: string;
            /**
             * @example purpose
             * @enum {string}
             */
            object: "purpose";
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            publishedAt: string;
            recipients: components["schemas"]["Recipient"][];
            /** @example P14M */
            retention: string | null;
            /** @example PUBLISHED */
            status: ("DRAFT" | "PUBLISHED" | "RETIRED") | string;
            /** @example 365 */
            validityDays: number | null;
            /** @example 1 */
            version: number;
        };
        PurposeChange: {
            /** @example 1 */
            from: number | null;
            /** @example MATERIAL */
            kind: ("MATERIAL" | "EDITORIAL") | string;
            /** @example First version. */
            summary: string;
        };
        PurposeFile: {
            /** @example ANALYTICS */
            category: ("NECESSARY" | "FUNCTIONAL" | "ANALYTICS" | "MARKETING" | "PERSONALIZATION" | "SOCIAL" | "SALE_SHARE" | "SENSITIVE" | "COMMUNICATION" | "OTHER") | string;
            change?: components["schemas"]["ChangeNote"];
            /** @example OPT_IN */
            consentModel: ("OPT_IN" | "OPT_OUT" | "NOTICE_ONLY" | "ALWAYS_ON") | string;
            controller: components["schemas"]["Controller"];
            /**
             * @example [
             *       "_stat"
             *     ]
             */
            cookies?: string[];
            dataCategories?: components["schemas"]["DataCategory"][];
            /** @example en */
            defaultLocale: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            effectiveFrom?: string;
            frameworks?: components["schemas"]["Frameworks"];
            /** @example false */
            gpc?: boolean;
            /** @example analytics */
            key: string;
            /** @example CONSENT */
            legalBasis: ("CONSENT" | "CONTRACT" | "LEGAL_OBLIGATION" | "VITAL_INTERESTS" | "PUBLIC_TASK" | "LEGITIMATE_INTERESTS") | string;
            recipients?: components["schemas"]["Recipient"][];
            /** @example P14M */
            retention?: string;
            /** @example PUBLISHED */
            status?: ("PUBLISHED" | "RETIRED") | string;
            translations: {
                [key: string]: components["schemas"]["PurposeText"];
            };
            /** @example 365 */
            validityDays?: number;
        };
        PurposeFileInput: {
            /**
             * @example ANALYTICS
             * @enum {string}
             */
            category: "NECESSARY" | "FUNCTIONAL" | "ANALYTICS" | "MARKETING" | "PERSONALIZATION" | "SOCIAL" | "SALE_SHARE" | "SENSITIVE" | "COMMUNICATION" | "OTHER";
            change?: components["schemas"]["ChangeNoteInput"];
            /**
             * @example OPT_IN
             * @enum {string}
             */
            consentModel: "OPT_IN" | "OPT_OUT" | "NOTICE_ONLY" | "ALWAYS_ON";
            controller: components["schemas"]["ControllerInput"];
            /**
             * @example [
             *       "_stat"
             *     ]
             */
            cookies?: string[];
            dataCategories?: components["schemas"]["DataCategoryInput"][];
            /** @example en */
            defaultLocale: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            effectiveFrom?: string;
            frameworks?: components["schemas"]["FrameworksInput"];
            /** @example false */
            gpc?: boolean;
            /** @example analytics */
            key: string;
            /**
             * @example CONSENT
             * @enum {string}
             */
            legalBasis: "CONSENT" | "CONTRACT" | "LEGAL_OBLIGATION" | "VITAL_INTERESTS" | "PUBLIC_TASK" | "LEGITIMATE_INTERESTS";
            recipients?: components["schemas"]["RecipientInput"][];
            /** @example P14M */
            retention?: string;
            /**
             * @example PUBLISHED
             * @enum {string}
             */
            status?: "PUBLISHED" | "RETIRED";
            translations: {
                [key: string]: components["schemas"]["PurposeTextInput"];
            };
            /** @example 365 */
            validityDays?: number;
        };
        PurposeList: {
            data: components["schemas"]["Purpose"][];
            /** @example false */
            hasMore: boolean;
            /** @example null */
            nextCursor: string | null;
        };
        PurposeState: {
            /** @example ALLOWED */
            effective: ("ALLOWED" | "BLOCKED") | string;
            /** @example EXPLICIT */
            effectiveReason: ("EXPLICIT" | "POLICY_DEFAULT" | "SIGNAL_GPC" | "LEGAL_BASIS" | "EXPIRED" | "RENEWAL_REQUIRED" | "NEVER_ASKED" | "ERASED") | string;
            /**
             * Format: date-time
             * @example 2027-11-21T12:00:00.000Z
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            givenAt: string | null;
            /** @example 1 */
            purposeVersion: number | null;
            /** @example rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            receiptId: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            recordedAt: string | null;
            renewal: components["schemas"]["Renewal"];
            /** @example API */
            source: ("API" | "IMPORT" | "MIGRATION") | string | null;
            /** @example GRANTED */
            state: ("GRANTED" | "DENIED" | "WITHDRAWN" | "OBJECTED" | "ACKNOWLEDGED" | "PENDING" | "EXPIRED" | "NOT_COLLECTED") | string;
        };
        PurposeText: {
            /** @example Counts visits so that we can improve the shop. */
            description: string;
            /** @example We process usage data on the basis of your consent. */
            legalText?: string;
            /** @example Statistics */
            name: string;
        };
        PurposeTextInput: {
            /** @example Counts visits so that we can improve the shop. */
            description: string;
            /** @example We process usage data on the basis of your consent. */
            legalText?: string;
            /** @example Statistics */
            name: string;
        };
        QueueHealth: {
            /** @example 0 */
            oldestSeconds: number;
            /** @example 0 */
            open: number;
            /** @example webhook */
            queue: string;
        };
        RateLimit: {
            /** @example 150 */
            burst: number;
            /** @example 50 */
            perSecond: number;
        };
        RateLimitInput: {
            /** @example 150 */
            burst: number;
            /** @example 50 */
            perSecond: number;
        };
        RateLimits: {
            pk?: components["schemas"]["RateLimit"] | null;
            sk?: components["schemas"]["RateLimit"] | null;
        };
        RateLimitsInput: {
            pk?: components["schemas"]["RateLimitInput"] | null;
            sk?: components["schemas"]["RateLimitInput"] | null;
        };
        ReachedState: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            at: string;
            /** @example RECEIVED */
            state: ("RECEIVED" | "AWAITING_VERIFICATION" | "VERIFIED" | "IN_PROGRESS" | "ON_HOLD" | "COMPLETED" | "PARTIALLY_COMPLETED" | "REJECTED" | "CANCELED" | "EXPIRED" | "DUPLICATE") | string;
        };
        ReaderSubject: {
            /** @example sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            id: string | null;
        };
        ReadSubject: {
            /** @example sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            id: string | null;
        };
        Reasoning: {
            /** @example RECORD */
            step: ("PURPOSE" | "RECORD" | "POLICY" | "SIGNAL" | "VERSION" | "CLOCK" | "RESULT") | string;
            /** @example No decision was recorded. */
            text: string;
        };
        Receipt: {
            /** @example eyJhbGciOiJFZERTQSJ9.e30.AAAA */
            jws: string;
            receipt: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            subjectErasedAt: string | null;
        };
        Recipient: {
            /** @example IE */
            country?: string;
            /** @example Example Analytics Ltd */
            name: string;
            /** @example PROCESSOR */
            role: ("CONTROLLER" | "PROCESSOR" | "THIRD_PARTY") | string;
        };
        RecipientInput: {
            /** @example IE */
            country?: string;
            /** @example Example Analytics Ltd */
            name: string;
            /**
             * @example PROCESSOR
             * @enum {string}
             */
            role: "CONTROLLER" | "PROCESSOR" | "THIRD_PARTY";
        };
        RecordBatch: {
            /** @example false */
            dryRun?: boolean;
            /**
             * @example PARTIAL
             * @enum {string}
             */
            mode?: "PARTIAL" | "ATOMIC";
            records: components["schemas"]["BatchItem"][];
        };
        RecordConsent: {
            actor?: components["schemas"]["Actor"];
            collection?: components["schemas"]["Collection"];
            /**
             * @example GRANTED
             * @enum {string}
             */
            decision: "GRANTED" | "DENIED" | "WITHDRAWN" | "OBJECTED" | "ACKNOWLEDGED";
            evidence?: components["schemas"]["Evidence"][];
            /**
             * Format: date-time
             * @example 2027-11-21T12:00:00.000Z
             */
            expiresAt?: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            givenAt?: string;
            /** @example 90 */
            givenSecondsAgo?: number;
            jurisdiction?: components["schemas"]["JurisdictionInput"];
            /**
             * @example {
             *       "campaign": "autumn"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            };
            /** @example analytics */
            purpose: string;
            /** @example 1 */
            purposeVersion?: number;
            signals?: components["schemas"]["SignalsInput"];
            /**
             * @example API
             * @enum {string}
             */
            source?: "API" | "IMPORT" | "MIGRATION";
            /** @example visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90 */
            subject: string;
            vendors?: components["schemas"]["VendorInput"][];
        };
        RegisterSite: {
            allowedOrigins?: components["schemas"]["OriginsInput"];
            /** @example false */
            allowSecretKeyInBrowser?: boolean;
            /** @example 48 */
            confirmationHours?: number;
            /** @example en */
            defaultLocale?: string;
            /**
             * @example [
             *       "shop.example"
             *     ]
             */
            domains?: string[];
            evidence?: components["schemas"]["EvidenceSettingsInput"];
            frameworks?: components["schemas"]["FrameworkSettingsChange"];
            /**
             * @example [
             *       "custom.loyalty_card"
             *     ]
             */
            identifierKinds?: string[];
            /**
             * @example [
             *       "en",
             *       "de"
             *     ]
             */
            languages?: string[];
            /**
             * @example CLOSED
             * @enum {string}
             */
            ledger?: "CLOSED" | "OPEN";
            /**
             * @example CLOSED
             * @enum {string}
             */
            linkedVisitors?: "CLOSED" | "OPEN";
            /** @example Shop Example */
            name: string;
            rateLimits?: components["schemas"]["RateLimitsInput"];
            /** @example shop */
            site: string;
        };
        Regulation: {
            /** @example GDPR */
            key: string;
            /** @example General Data Protection Regulation (EU) 2016/679 */
            name: string;
            /** @example art. 6, 7, 12 to 22, 99(2) */
            source: string;
        };
        RejectDataRequest: {
            /** @example Agreed by phone. */
            note?: string;
            /**
             * @example INSUFFICIENT_VERIFICATION
             * @enum {string}
             */
            reasonCode: "SUSPECTED_FRAUD" | "INSUFFICIENT_VERIFICATION" | "NO_MATCH" | "CLAIM_NOT_COVERED" | "OUTSIDE_JURISDICTION" | "TOO_MANY_REQUESTS" | "LEGAL_HOLD" | "EXEMPTION" | "MANIFESTLY_UNFOUNDED" | "EXCESSIVE";
        };
        RemovedIdentifier: {
            /** @example idn_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            id: string;
            /** @example email */
            kind: string;
        };
        Renewal: {
            /** @example null */
            reason: ("PURPOSE_VERSION_CHANGED" | "EXPIRED" | "VENDORS_ASK_MORE") | string | null;
            /** @example false */
            required: boolean;
        };
        RenewalList: {
            data: components["schemas"]["SubjectRenewal"][];
            /** @example false */
            hasMore: boolean;
            /** @example null */
            nextCursor: string | null;
        };
        ReplayWebhookEvents: {
            /** @example 656 */
            fromSequence?: number;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            since?: string;
            /**
             * @example [
             *       "consent.*",
             *       "subject.erased"
             *     ]
             */
            types?: string[];
        };
        RequestClock: {
            /**
             * Format: date-time
             * @example null
             */
            pausedSince: string | null;
            /** @example true */
            running: boolean;
        };
        RequestConfirmation: {
            /** @example email */
            channel?: string;
            /** @example de-AT */
            locale?: string;
            /** @example https://demo.example/thanks */
            redirectUrl: string;
            /** @example email:ada@example.org */
            subject: string;
            /** @example ada@example.org */
            to?: string;
            values: components["schemas"]["WantedTopic"][];
        };
        RequestedMail: {
            /** @example idn_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            identifierId: string;
            /** @example <01KAK3V0ZC8W9J2M4N6P8Q0R2S@shop.example> */
            messageId: string;
            /** @example Please confirm */
            subject: string;
        };
        RequestedWebhookTest: {
            /** @example whe_01KAK3V0ZC8W9J2M4N6P8Q0R2S.evt_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            deliveryId: string;
            /** @example whe_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            endpointId: string;
            /** @example evt_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            eventId: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            requestedAt: string;
            /** @example 672 */
            sequence: number;
        };
        RequestEffect: {
            archive?: components["schemas"]["Archive"];
            identifierIds?: string[];
            /** @example ERASURE */
            kind: ("NONE" | "ERASURE" | "RESTRICTION" | "RECTIFICATION" | "DECISIONS" | "ARCHIVE") | string;
            /** @example rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            receiptId?: string;
            recordIds?: string[];
            rectified?: string[];
            removedIdentifierIds?: string[];
        };
        Requester: {
            /** @example ada@example.org */
            email?: string;
            /** @example mandate 2026-17, signed 2026-11-02 */
            evidence?: string;
            /** @example Ada L. */
            name?: string;
            /**
             * @example SELF
             * @enum {string}
             */
            type: "SELF" | "AGENT" | "GUARDIAN";
        };
        RequestNote: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            at: string;
            /** @example operator:opt_4Zt8nXq2LmPa */
            by: string;
            /** @example Called, no answer. */
            text: string | null;
        };
        RequestPeriod: {
            /** @example false */
            clockStops: boolean;
            /** @example 1 */
            dueDays: number | null;
            /** @example 2 */
            extensionDays: number | null;
            /** @example DE.always */
            rule: string;
            /** @example MONTHS */
            unit: ("MONTHS" | "CALENDAR_DAYS" | "BUSINESS_DAYS" | "PERIODS_OF_24_HOURS") | string;
        };
        RequestPeriods: {
            /** @example null */
            acknowledgement: components["schemas"]["Acknowledgement"] | null;
            /** @example false */
            clockStops: boolean;
            /** @example 1 */
            dueDays: number | null;
            /** @example [] */
            exceptions: components["schemas"]["TypedPeriod"][];
            /** @example 2 */
            extensionDays: number | null;
            /**
             * @example [
             *       "ACCESS",
             *       "ERASURE"
             *     ]
             */
            types: (("ACCESS" | "PORTABILITY" | "ERASURE" | "RECTIFICATION" | "RESTRICTION" | "OBJECTION" | "WITHDRAW_ALL" | "OPT_OUT_SALE_SHARE" | "OPT_OUT_TARGETED_ADS") | string)[];
            /** @example MONTHS */
            unit: ("MONTHS" | "CALENDAR_DAYS" | "BUSINESS_DAYS" | "PERIODS_OF_24_HOURS") | string;
        };
        RequestVerification: {
            /**
             * Format: date-time
             * @example null
             */
            expiresAt: string | null;
            /** @example OPERATOR */
            method: ("EMAIL_CODE" | "IDENTITY_TOKEN" | "PORTAL_TOKEN" | "OPERATOR" | "DOCUMENT") | string | null;
            /**
             * @example null
             * @enum {string|null}
             */
            reason: "ADDRESS_NOT_VERIFIED" | null;
            /** @example VERIFIED */
            status: ("NOT_REQUIRED" | "PENDING" | "VERIFIED") | string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            verifiedAt: string | null;
        };
        RestrictSubject: {
            /** @example litigation 12 O 34/26 */
            reason?: string;
            /**
             * Format: date-time
             * @example 2028-01-01T00:00:00.000Z
             */
            until?: string;
        };
        RetriedWebhookDelivery: {
            /** @example whe_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            endpointId: string;
            /** @example whe_01KAK3V0ZC8W9J2M4N6P8Q0R2S.evt_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            id: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            requestedAt: string;
        };
        RevealIdentifiers: {
            /** @example answer by letter, case 2026-17 */
            reason: string;
        };
        RevertMerge: {
            /** @example two people share the address */
            reason?: string;
        };
        RevertResult: {
            /** @example mrg_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            mergeId: string;
            /**
             * @example [
             *       "sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T"
             *     ]
             */
            restored: string[];
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            revertedAt: string;
            target: components["schemas"]["SubjectIdOnly"];
        };
        RevokedKey: {
            /** @example live */
            env: ("test" | "live") | string;
            /** @example kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k */
            kid: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            revokedAt: string;
            successor: components["schemas"]["AnnouncedKey"] | null;
        };
        RevokeKey: {
            /** @example leaked */
            reason?: string;
        };
        RevokeSigningKey: {
            /** @example yearly */
            reason?: string;
        };
        Role: {
            /** @example Looks at statistics and health. */
            description: string;
            /**
             * @example [
             *       "listSites"
             *     ]
             */
            operations: string[];
            /**
             * @example [
             *       "issueKey"
             *     ]
             */
            operationsInTest: string[];
            /** @example VIEWER */
            role: ("VIEWER" | "SUPPORT" | "EDITOR" | "PRIVACY" | "DEVELOPER" | "AUDITOR" | "ADMIN") | string;
        };
        RoleList: {
            data: components["schemas"]["Role"][];
        };
        RotatedKey: {
            /** @example null */
            allowedOrigins: string[] | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            createdAt: string;
            /** @example operator:opt_first */
            createdBy: string;
            /** @example test */
            env: ("test" | "live") | string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            expiresAt: string | null;
            /** @example key_4Zt8nXq2LmPa */
            id: string;
            /** @example sk_test_… */
            key: string;
            /** @example x9Qz */
            last4: string;
            /** @example backend */
            name: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            overlapEndsAt: string;
            /** @example null */
            replacedBy: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            revokedAt: string | null;
            /** @example null */
            rotatedFrom: string | null;
            /**
             * @example [
             *       "*"
             *     ]
             */
            scopes: string[];
            /** @example live */
            state: ("live" | "expired" | "revoked") | string;
            /** @example sk */
            type: ("pk" | "sk") | string;
        };
        RotatedOperatorToken: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            createdAt: string | null;
            /** @example operator:opt_first */
            createdBy: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            expiresAt: string | null;
            /** @example opt_4Zt8nXq2LmPa */
            id: string;
            /** @example x9Qz */
            last4: string | null;
            /** @example deploy pipeline */
            name: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            overlapEndsAt: string;
            /** @example null */
            replacedBy: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            revokedAt: string | null;
            roles: components["schemas"]["OperatorRole"][];
            /** @example null */
            rotatedFrom: string | null;
            /** @example live */
            state: ("live" | "expired" | "revoked") | string;
            /** @example op_… */
            token: string;
        };
        RotateKey: {
            /**
             * @example 24h
             * @enum {string}
             */
            overlap?: "0" | "1h" | "24h" | "7d";
            /** @example yearly */
            reason?: string;
        };
        RotateSigningKey: {
            /**
             * @example live
             * @enum {string}
             */
            env: "test" | "live";
            /** @example yearly */
            reason?: string;
        };
        RotateWebhookSecret: {
            /** @example yearly */
            reason?: string;
        };
        SaveDraft: {
            banner?: {
                [key: string]: unknown;
            };
            /** @example 3 */
            base?: number;
            cookies?: {
                [key: string]: unknown;
            };
            policies?: {
                [key: string]: unknown;
            };
            /**
             * @example [
             *       {
             *         "key": "analytics",
             *         "legalBasis": "CONSENT",
             *         "consentModel": "OPT_IN",
             *         "category": "ANALYTICS",
             *         "controller": {
             *           "name": "Shop Example GmbH",
             *           "contact": "privacy@shop.example"
             *         },
             *         "defaultLocale": "en",
             *         "translations": {
             *           "en": {
             *             "name": "Statistics"
             *           }
             *         }
             *       }
             *     ]
             */
            purposes: unknown[];
            template?: {
                [key: string]: unknown;
            };
            vendors?: {
                [key: string]: unknown;
            };
        };
        Session: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            endsAt: string | null;
            may: components["schemas"]["May"][];
            operator: components["schemas"]["SignedInOperator"];
            roles: components["schemas"]["OperatorRole"][];
        };
        SetPreferences: {
            actor?: components["schemas"]["Actor"];
            /** @example email */
            channel?: string;
            collection?: components["schemas"]["Collection"];
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            givenAt?: string;
            /** @example 90 */
            givenSecondsAgo?: number;
            /** @example false */
            globalOptOut?: boolean;
            /**
             * @example {
             *       "campaign": "autumn"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * @example API
             * @enum {string}
             */
            source?: "API" | "IMPORT" | "MIGRATION";
            /** @example visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90 */
            subject: string;
            values?: components["schemas"]["PreferenceValue"][];
        };
        SetPreferencesBatch: {
            /** @example false */
            dryRun?: boolean;
            /**
             * @example PARTIAL
             * @enum {string}
             */
            mode?: "PARTIAL" | "ATOMIC";
            records: components["schemas"]["PreferenceBatchItem"][];
        };
        ShownBanner: {
            /** @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
            contentHash: string;
            /** @example en */
            locale: string;
            /** @example OPT_IN */
            presentation: ("OPT_IN" | "OPT_OUT" | "NOTICE_ONLY" | "NONE") | string;
            /** @example 1 */
            version: number;
        };
        ShownPolicy: {
            /**
             * Format: date
             * @example 2026-11-21
             */
            asOf: string;
            /** @example DE */
            country: string | null;
            /** @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
            fingerprint: string;
            /** @example DE.2018-05-25 */
            id: string;
            /** @example COUNTRY */
            matchedBy: ("REGION" | "COUNTRY" | "FALLBACK") | string;
            /** @example null */
            region: string | null;
        };
        ShownPurpose: {
            /** @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
            contentHash: string;
            /** @example DENIED */
            default: ("GRANTED" | "DENIED") | string;
            /** @example analytics */
            key: string;
            /** @example en */
            locale: string;
            /** @example 1 */
            version: number;
        };
        ShownRequester: {
            /** @example null */
            email: string | null;
            /** @example null */
            evidence: string | null;
            /** @example null */
            name: string | null;
            /** @example SELF */
            type: ("SELF" | "AGENT" | "GUARDIAN") | string;
        };
        Signals: {
            /** @example false */
            dnt?: boolean;
            /** @example true */
            gpc?: boolean;
        };
        SignalsInput: {
            /** @example false */
            dnt?: boolean;
            /** @example true */
            gpc?: boolean;
        };
        SignedInOperator: {
            /** @example opt_4Zt8nXq2LmPa */
            id: string;
            /** @example Ada */
            name: string | null;
        };
        SignIn: {
            /** @example op_… */
            token: string;
        };
        SigningKeyList: {
            data: components["schemas"]["ListedSigningKey"][];
            /** @example false */
            hasMore: boolean;
            /** @example null */
            nextCursor: string | null;
        };
        SimulateCatalogue: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            at?: string;
            banner?: components["schemas"]["BannerFileInput"];
            cookies?: components["schemas"]["CookiesFileInput"];
            /** @example WzEsIjIwMjYiXQ */
            cursor?: string;
            /** @example 1000 */
            limit?: number;
            policies?: components["schemas"]["PoliciesFileInput"];
            purposes: components["schemas"]["PurposeFileInput"][];
            template?: components["schemas"]["TemplateFileInput"];
            vendors?: components["schemas"]["VendorsFileInput"];
        };
        SimulateDraft: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            at?: string;
            /** @example WzEsIjIwMjYiXQ */
            cursor?: string;
            /** @example 1000 */
            limit?: number;
        };
        Simulation: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            at: string;
            changes: components["schemas"]["CatalogueDiff"][];
            /** @example false */
            hasMore: boolean;
            impacts: components["schemas"]["Impact"][];
            /** @example null */
            nextCursor: string | null;
            /** @example 1 */
            share: number;
            /** @example 5000 */
            subjects: number;
        };
        Site: {
            allowedOrigins: components["schemas"]["Origins"];
            /** @example false */
            allowSecretKeyInBrowser: boolean;
            /** @example 48 */
            confirmationHours: number;
            /** @example en */
            defaultLocale: string;
            /**
             * @example [
             *       "shop.example"
             *     ]
             */
            domains: string[];
            evidence: components["schemas"]["EvidenceSettings"];
            frameworks: components["schemas"]["FrameworkSettings"];
            /**
             * @example [
             *       "custom.loyalty_card"
             *     ]
             */
            identifierKinds: string[];
            /**
             * @example [
             *       "en"
             *     ]
             */
            languages: string[];
            /** @example CLOSED */
            ledger: ("CLOSED" | "OPEN") | string;
            /** @example CLOSED */
            linkedVisitors: ("CLOSED" | "OPEN") | string;
            /** @example Shop Example */
            name: string;
            rateLimits: components["schemas"]["RateLimits"];
            /** @example shop */
            site: string;
        };
        SiteList: {
            data: components["schemas"]["Site"][];
            /** @example false */
            hasMore: boolean;
            /** @example null */
            nextCursor: string | null;
        };
        StatisticsPeriod: {
            /** @example 12 */
            expiries: number | null;
            /**
             * Format: date
             * @example 2026-11-01
             */
            from: string;
            /** @example 1204 */
            grants: number | null;
            /** @example 0.7455 */
            grantShare: number | null;
            /** @example 411 */
            refusals: number | null;
            /** @example 2950 */
            shown: number | null;
            /** @example [] */
            suppressed: (("grants" | "refusals" | "withdrawals" | "expiries" | "shown") | string)[];
            /**
             * Format: date
             * @example 2026-11-30
             */
            to: string;
            /** @example 1335 */
            unanswered: number | null;
            /** @example 37 */
            withdrawals: number | null;
        };
        StatisticsSeries: {
            periods: components["schemas"]["StatisticsPeriod"][];
            /** @example analytics */
            purpose: string | null;
            /** @example null */
            value: string | null;
        };
        StringDifference: {
            /** @example SaleOptOut */
            field: string | null;
            /** @example 1 */
            holds: string | null;
            /** @example usca */
            part: string;
            /** @example 2 */
            said: string | null;
            /** @example Did not opt out of the sale of personal data. Today: Opted out of the sale of personal data. */
            text: string;
        };
        StringLine: {
            /** @example SaleOptOut */
            field: string;
            /** @example CHOICE */
            kind: ("CHOICE" | "CONTEXT") | string;
            /** @example usca */
            part: string;
            /** @example Opted out of the sale of personal data. */
            text: string;
            /** @example 1 */
            value: string;
        };
        Subject: {
            /** @example DE */
            country: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            createdAt: string | null;
            /** @example sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            id: string;
            identifiers: components["schemas"]["Identifier"][];
            /** @example de-AT */
            locale: string | null;
            /** @example sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            mergedInto: string | null;
            /**
             * @example {
             *       "tier": "gold"
             *     }
             */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * @example subject
             * @enum {string}
             */
            object: "subject";
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            restrictedUntil: string | null;
            /** @example ACTIVE */
            state: ("ACTIVE" | "MERGED" | "RESTRICTED" | "ERASED") | string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            updatedAt: string | null;
        };
        SubjectId: {
            /** @example sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            id: string;
        };
        SubjectIdOnly: {
            /** @example sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            id: string;
        };
        SubjectRead: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            firstAt: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            hour: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            lastAt: string;
            /** @example getConsentState */
            operation: string;
            /** @example key_4Zt8nXq2LmPa */
            reader: string;
            /** @example 12 */
            reads: number;
            subject: components["schemas"]["ReadSubject"];
        };
        SubjectReadList: {
            data: components["schemas"]["SubjectRead"][];
            /** @example false */
            hasMore: boolean;
            /** @example null */
            nextCursor: string | null;
        };
        SubjectRenewal: {
            /** @example DE */
            country: string | null;
            /**
             * Format: date-time
             * @example null
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            givenAt: string;
            /** @example 1 */
            purposeVersion: number;
            /** @example PURPOSE_VERSION_CHANGED */
            reason: ("PURPOSE_VERSION_CHANGED" | "EXPIRED" | "VENDORS_ASK_MORE") | string;
            /** @example null */
            region: string | null;
            /** @example GRANTED */
            state: ("GRANTED" | "DENIED" | "WITHDRAWN" | "OBJECTED" | "ACKNOWLEDGED" | "PENDING" | "EXPIRED" | "NOT_COLLECTED") | string;
            subject: components["schemas"]["ReaderSubject"];
        };
        Summary: {
            /** @example false */
            isCut: boolean;
            /**
             * @example summary
             * @enum {string}
             */
            object: "summary";
            places: components["schemas"]["PlaceSummary"][];
        };
        SummaryEndpoints: {
            /** @example 0 */
            behind: number;
            /** @example 1 */
            failing: number;
        };
        SummaryGrants: {
            /** @example 0.58 */
            before: number | null;
            /** @example 30 */
            days: number;
            /** @example 0.62 */
            share: number | null;
        };
        SummaryNeed: {
            /** @example 1 */
            count: number;
            /** @example /console/shop/live/requests?state=OPEN&overdue=true */
            link: string;
            /** @example REQUESTS_OVERDUE */
            what: ("REQUESTS_OVERDUE" | "ENDPOINTS_FAILING" | "DRAFT_FOR_APPROVAL" | "REQUESTS_DUE" | "RENEWALS") | string;
        };
        SummaryRequests: {
            /** @example 2 */
            dueWithin7Days: number;
            /** @example 3 */
            open: number;
            /** @example 1 */
            overdue: number;
        };
        TcCustomBits: {
            /**
             * @example {
             *       "1": true
             *     }
             */
            consents: {
                [key: string]: boolean;
            };
            /** @example {} */
            legitimateInterests: {
                [key: string]: boolean;
            };
        };
        TcData: {
            /** @example 300 */
            cmpId: number;
            /** @example 4 */
            cmpVersion: number;
            /** @example true */
            gdprApplies: boolean;
            /** @example true */
            isServiceSpecific: boolean;
            publisher: components["schemas"]["TcPublisher"];
            /** @example DE */
            publisherCC: string;
            purpose: components["schemas"]["TcPurposeBits"];
            /** @example false */
            purposeOneTreatment: boolean;
            /**
             * @example {
             *       "1": true
             *     }
             */
            specialFeatureOptins: {
                [key: string]: boolean;
            };
            /** @example 5 */
            tcfPolicyVersion: number;
            /** @example CQYdG0AQYdG0AP_AAAENAFAA */
            tcString: string;
            /** @example false */
            useNonStandardTexts: boolean;
            vendor: components["schemas"]["TcVendorBits"];
        };
        Tcf: {
            /**
             * @example [
             *       7,
             *       8
             *     ]
             */
            purposes: number[];
            /** @example [] */
            specialFeatures: number[];
        };
        TcfChange: {
            /** @example 300 */
            cmpId?: number | null;
            /** @example 4 */
            cmpVersion?: number | null;
        };
        TcfInput: {
            /**
             * @example [
             *       7,
             *       8
             *     ]
             */
            purposes: number[];
            /** @example [] */
            specialFeatures: number[];
        };
        TcfSettings: {
            /** @example 300 */
            cmpId: number | null;
            /** @example 4 */
            cmpVersion: number | null;
        };
        TcPublisher: {
            /**
             * @example {
             *       "1": true,
             *       "2": false,
             *       "3": true
             *     }
             */
            consents: {
                [key: string]: boolean;
            };
            customPurpose: components["schemas"]["TcCustomBits"];
            /**
             * @example {
             *       "1": true,
             *       "2": false,
             *       "3": true
             *     }
             */
            legitimateInterests: {
                [key: string]: boolean;
            };
            /**
             * @example {
             *       "2": {
             *         "755": 1
             *       }
             *     }
             */
            restrictions: {
                [key: string]: unknown;
            };
        };
        TcPurposeBits: {
            /**
             * @example {
             *       "1": true,
             *       "2": false,
             *       "3": true
             *     }
             */
            consents: {
                [key: string]: boolean;
            };
            /**
             * @example {
             *       "1": true,
             *       "2": false,
             *       "3": true
             *     }
             */
            legitimateInterests: {
                [key: string]: boolean;
            };
        };
        TcString: {
            /** @example 300 */
            cmpId: number;
            /** @example true */
            cmpRegistered: boolean;
            /** @example 4 */
            cmpVersion: number;
            /**
             * Format: date-time
             * @example 2026-11-21T00:00:00.000Z
             */
            created: string;
            /**
             * @example [
             *       "newsletter"
             *     ]
             */
            customPurposes: string[];
            /** @example true */
            gdprApplies: boolean;
            /**
             * Format: date-time
             * @example 2026-11-21T00:00:00.000Z
             */
            lastUpdated: string;
            /** @example 5 */
            policyVersion: number;
            /**
             * @example [
             *       "CORE",
             *       "DISCLOSED_VENDORS",
             *       "PUBLISHER_TC"
             *     ]
             */
            segments: (("CORE" | "DISCLOSED_VENDORS" | "PUBLISHER_TC") | string)[];
            tcData?: components["schemas"]["TcData"];
            /** @example CQYdG0AQYdG0AP_AAAENAFAA */
            tcString: string;
            /** @example false */
            vendorListSynthetic: boolean;
            /** @example 177 */
            vendorListVersion: number;
        };
        TcVendorBits: {
            /**
             * @example {
             *       "8": true
             *     }
             */
            consents: {
                [key: string]: boolean;
            };
            /**
             * @example {
             *       "8": true
             *     }
             */
            disclosedVendors: {
                [key: string]: boolean;
            };
            /**
             * @example {
             *       "8": true
             *     }
             */
            legitimateInterests: {
                [key: string]: boolean;
            };
        };
        TemplateChange: {
            /** @example 1 */
            from: number | null;
            /** @example First version. */
            summary: string;
        };
        TemplateChangeNote: {
            /** @example A topic for deliveries. */
            summary?: string;
        };
        TemplateChangeNoteInput: {
            /** @example A topic for deliveries. */
            summary?: string;
        };
        TemplateChannel: {
            /** @example email */
            key: string;
            /** @example E-mail */
            label: string;
            /** @example EMAIL */
            verification: ("EMAIL" | "PHONE" | "NONE") | string;
        };
        TemplateChannelFile: {
            /** @example email */
            key: string;
            /**
             * @example {
             *       "en": "E-mail"
             *     }
             */
            label: {
                [key: string]: string;
            };
            /** @example EMAIL */
            verification?: ("EMAIL" | "PHONE" | "NONE") | string;
        };
        TemplateChannelFileInput: {
            /** @example email */
            key: string;
            /**
             * @example {
             *       "en": "E-mail"
             *     }
             */
            label: {
                [key: string]: string;
            };
            /**
             * @example EMAIL
             * @enum {string}
             */
            verification?: "EMAIL" | "PHONE" | "NONE";
        };
        TemplateField: {
            /** @example email */
            channel: string | null;
            /** @example false */
            default: boolean | string | number | string[] | null;
            /** @example REQUIRED */
            doubleOptIn: ("NONE" | "REQUIRED" | "IF_UNVERIFIED") | string;
            /** @example Once a month at most. */
            help: string | null;
            /** @example email_news */
            key: string;
            /** @example TOGGLE */
            kind: ("TOGGLE" | "SELECT" | "MULTI_SELECT" | "NUMBER" | "DATE" | "TEXT" | "FREQUENCY") | string;
            /** @example News */
            label: string;
            options: components["schemas"]["TemplateOption"][];
            /** @example marketing */
            purposeKey: string | null;
            /** @example false */
            required: boolean;
            /** @example news */
            topic: string | null;
            validation: components["schemas"]["FieldValidation"];
        };
        TemplateFieldFile: {
            /** @example email */
            channel?: string;
            /** @example false */
            default?: boolean | string | number | unknown[] | null;
            /** @example REQUIRED */
            doubleOptIn?: ("NONE" | "REQUIRED" | "IF_UNVERIFIED") | string;
            /**
             * @example {
             *       "en": "Once a month at most."
             *     }
             */
            help?: {
                [key: string]: string;
            };
            /** @example email_news */
            key: string;
            /** @example TOGGLE */
            kind: ("TOGGLE" | "SELECT" | "MULTI_SELECT" | "NUMBER" | "DATE" | "TEXT" | "FREQUENCY") | string;
            /**
             * @example {
             *       "en": "News"
             *     }
             */
            label: {
                [key: string]: string;
            };
            options?: components["schemas"]["TemplateOptionFile"][];
            /** @example marketing */
            purposeKey?: string;
            /** @example false */
            required?: boolean;
            /** @example news */
            topic?: string;
            validation?: components["schemas"]["FieldValidation"];
        };
        TemplateFieldFileInput: {
            /** @example email */
            channel?: string;
            /** @example false */
            default?: boolean | string | number | unknown[] | null;
            /**
             * @example REQUIRED
             * @enum {string}
             */
            doubleOptIn?: "NONE" | "REQUIRED" | "IF_UNVERIFIED";
            /**
             * @example {
             *       "en": "Once a month at most."
             *     }
             */
            help?: {
                [key: string]: string;
            };
            /** @example email_news */
            key: string;
            /**
             * @example TOGGLE
             * @enum {string}
             */
            kind: "TOGGLE" | "SELECT" | "MULTI_SELECT" | "NUMBER" | "DATE" | "TEXT" | "FREQUENCY";
            /**
             * @example {
             *       "en": "News"
             *     }
             */
            label: {
                [key: string]: string;
            };
            options?: components["schemas"]["TemplateOptionFileInput"][];
            /** @example marketing */
            purposeKey?: string;
            /** @example false */
            required?: boolean;
            /** @example news */
            topic?: string;
            validation?: components["schemas"]["FieldValidationInput"];
        };
        TemplateFile: {
            change?: components["schemas"]["TemplateChangeNote"];
            channels?: components["schemas"]["TemplateChannelFile"][];
            /** @example en */
            defaultLocale: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            effectiveFrom?: string;
            sections: components["schemas"]["TemplateSectionFile"][];
        };
        TemplateFileInput: {
            change?: components["schemas"]["TemplateChangeNoteInput"];
            channels?: components["schemas"]["TemplateChannelFileInput"][];
            /** @example en */
            defaultLocale: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            effectiveFrom?: string;
            sections: components["schemas"]["TemplateSectionFileInput"][];
        };
        TemplateOption: {
            /** @example Once a week */
            label: string;
            /** @example WEEKLY */
            value: string;
        };
        TemplateOptionFile: {
            /**
             * @example {
             *       "en": "Once a week"
             *     }
             */
            label: {
                [key: string]: string;
            };
            /** @example WEEKLY */
            value: string;
        };
        TemplateOptionFileInput: {
            /**
             * @example {
             *       "en": "Once a week"
             *     }
             */
            label: {
                [key: string]: string;
            };
            /** @example WEEKLY */
            value: string;
        };
        TemplateSection: {
            fields: components["schemas"]["TemplateField"][];
            /** @example mail */
            key: string;
            /** @example What we may send you */
            title: string;
        };
        TemplateSectionFile: {
            fields: components["schemas"]["TemplateFieldFile"][];
            /** @example mail */
            key: string;
            /**
             * @example {
             *       "en": "What we may send you"
             *     }
             */
            title: {
                [key: string]: string;
            };
        };
        TemplateSectionFileInput: {
            fields: components["schemas"]["TemplateFieldFileInput"][];
            /** @example mail */
            key: string;
            /**
             * @example {
             *       "en": "What we may send you"
             *     }
             */
            title: {
                [key: string]: string;
            };
        };
        TemplateShown: {
            /** @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
            contentHash: string;
            /** @example en */
            locale: string;
            /** @example 1 */
            version: number;
        };
        Timeline: {
            data: components["schemas"]["TimelineItem"][];
            /** @example false */
            hasMore: boolean;
            /** @example null */
            nextCursor: string | null;
        };
        TimelineErasure: {
            /** @example DATA_SUBJECT_REQUEST */
            reason: ("DATA_SUBJECT_REQUEST" | "CONSENT_WITHDRAWN" | "NO_LONGER_NECESSARY" | "UNLAWFUL_PROCESSING" | "LEGAL_OBLIGATION" | "OTHER") | string;
            subject: components["schemas"]["SubjectIdOnly"];
        };
        TimelineIdentifier: {
            /** @example idn_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            id: string;
            /** @example email */
            kind?: string;
            /** @example true */
            primary?: boolean;
            /** @example API */
            source?: ("API" | "IMPORT" | "MIGRATION") | string;
            /** @example ada@example.org */
            value?: string | null;
            /** @example DOUBLE_OPT_IN */
            verificationMethod: ("DOUBLE_OPT_IN" | "IDENTITY_TOKEN" | "OPERATOR" | "IMPORT") | string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            verifiedAt: string | null;
        };
        TimelineItem: {
            actor?: components["schemas"]["KeptActor"];
            /** @example true */
            appliedToState?: boolean;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            at: string;
            /** @example key_4Zt8nXq2LmPa */
            by: string;
            erasure?: components["schemas"]["TimelineErasure"];
            identifier?: components["schemas"]["TimelineIdentifier"];
            merge?: components["schemas"]["TimelineMerge"];
            /** @example null */
            mergedFrom: string | null;
            notice?: components["schemas"]["TimelineNotice"];
            /** @example 42 */
            position: string;
            preference?: components["schemas"]["PreferenceHistoryItem"];
            presentation?: components["schemas"]["Presentation"];
            /** @example rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            receiptId?: string;
            record?: components["schemas"]["ConsentHistoryItem"];
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            recordedAt: string;
            rectified?: components["schemas"]["TimelineRectified"];
            request?: components["schemas"]["TimelineRequest"];
            restriction?: components["schemas"]["TimelineRestriction"];
            /** @example Agreed */
            title: string;
            /** @example consent_recorded */
            type: string;
        };
        TimelineMerge: {
            absorbed: components["schemas"]["SubjectIdOnly"][];
            /** @example null */
            carryOver?: ("NEVER" | "IF_DENIED" | "IF_GRANTED" | "ALWAYS") | string | null;
            /** @example REVERTED */
            cause?: ("REVERTED" | "VOID") | string;
            conflicts?: components["schemas"]["MergeConflict"][];
            /** @example mrg_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            id: string;
            /** @example MOST_RESTRICTIVE */
            policy?: ("MOST_RESTRICTIVE" | "MOST_RECENT" | "TARGET_WINS") | string;
            /** @example Same person, says the shop. */
            reason?: string | null;
            /** @example SURVIVOR */
            role: ("SURVIVOR" | "ABSORBED") | string;
            survivor: components["schemas"]["SubjectIdOnly"];
        };
        TimelineNotice: {
            /** @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
            contentHash: string;
            /** @example en */
            locale: string;
        };
        TimelineRectified: {
            /** @example DE */
            country?: string | null;
            /** @example de-AT */
            locale?: string | null;
            removed: components["schemas"]["RemovedIdentifier"][];
        };
        TimelineRequest: {
            /** @example opt_4Zt8nXq2LmPa */
            assignee?: string | null;
            /**
             * Format: date-time
             * @example 2026-12-21T23:00:00.000Z
             */
            dueAt: string | null;
            /** @example dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            duplicateOf?: string;
            effect?: components["schemas"]["RequestEffect"];
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            expiresAt?: string;
            /** @example dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            id: string;
            /** @example OPERATOR */
            method?: ("EMAIL_CODE" | "IDENTITY_TOKEN" | "PORTAL_TOKEN" | "OPERATOR" | "DOCUMENT") | string;
            /** @example Asked the warehouse for its records. */
            note?: string | null;
            /** @example COMPLETED */
            outcome?: ("COMPLETED" | "PARTIALLY_COMPLETED") | string;
            /** @example LEGAL_REVIEW */
            reason?: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            receivedAt: string;
            /** @example GDPR */
            regulation?: string | null;
            /** @example API */
            source?: ("API" | "PORTAL" | "EMAIL" | "PHONE" | "POST") | string;
            /** @example RECEIVED */
            state?: ("RECEIVED" | "AWAITING_VERIFICATION" | "VERIFIED" | "IN_PROGRESS" | "ON_HOLD" | "COMPLETED" | "PARTIALLY_COMPLETED" | "REJECTED" | "CANCELED" | "EXPIRED" | "DUPLICATE") | string;
            /** @example ACCESS */
            type: ("ACCESS" | "PORTABILITY" | "ERASURE" | "RECTIFICATION" | "RESTRICTION" | "OBJECTION" | "WITHDRAW_ALL" | "OPT_OUT_SALE_SHARE" | "OPT_OUT_TARGETED_ADS" | "OPT_OUT_PROFILING" | "LIMIT_SENSITIVE" | "KNOW_CATEGORIES" | "APPEAL" | "COMPLAINT") | string;
        };
        TimelineRestriction: {
            /** @example Same person, says the shop. */
            reason?: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            until: string | null;
        };
        TopicPreference: {
            /** @example null */
            blockedBy: ("GLOBAL_OPT_OUT" | "DENIED" | "PENDING" | "EXPIRED" | "UNSET" | "PAUSED") | string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            confirmedAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            expiresAt: string | null;
            /** @example WEEKLY */
            frequency: string | null;
            /**
             * Format: date-time
             * @example 2027-01-01T00:00:00.000Z
             */
            pausedUntil: string | null;
            /** @example true */
            sendable: boolean;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            since: string | null;
            /** @example GRANTED */
            state: ("GRANTED" | "DENIED" | "PENDING" | "EXPIRED" | "UNSET") | string;
        };
        TypedField: {
            /** @example SELECT */
            type: ("TOGGLE" | "SELECT" | "MULTI_SELECT" | "NUMBER" | "DATE" | "TEXT" | "FREQUENCY") | string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            updatedAt: string;
            /** @example de */
            value: boolean | string | number | string[] | null;
        };
        TypedPeriod: {
            /** @example 1 */
            dueDays: number | null;
            /** @example 2 */
            extensionDays: number | null;
            /**
             * @example [
             *       "RECTIFICATION"
             *     ]
             */
            types: (("ACCESS" | "PORTABILITY" | "ERASURE" | "RECTIFICATION" | "RESTRICTION" | "OBJECTION" | "WITHDRAW_ALL" | "OPT_OUT_SALE_SHARE" | "OPT_OUT_TARGETED_ADS") | string)[];
            /** @example MONTHS */
            unit: ("MONTHS" | "CALENDAR_DAYS" | "BUSINESS_DAYS" | "PERIODS_OF_24_HOURS") | string;
        };
        UnsubscribeHeaders: {
            /** @example <https://consent.example/v1/preferences/unsubscribe?token=uft_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHksIG5vdG9rZW4> */
            "List-Unsubscribe": string;
            /** @example List-Unsubscribe=One-Click */
            "List-Unsubscribe-Post": string;
        };
        UnsubscribeLink: {
            headers: components["schemas"]["UnsubscribeHeaders"];
            /** @example uft_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHksIG5vdG9rZW4 */
            token: string;
            /** @example https://consent.example/v1/preferences/unsubscribe?token=uft_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHksIG5vdG9rZW4 */
            unsubscribeUrl: string;
        };
        UnsubscribeLinkRequest: {
            /** @example email */
            channel: string;
            /** @example de-AT */
            locale?: string;
            /** @example email:ada@example.org */
            subject: string;
            /**
             * @example [
             *       "news"
             *     ]
             */
            topics?: string[];
        };
        Vendor: {
            /** @example DENIED */
            decision: ("GRANTED" | "DENIED") | string;
            /** @example TCF */
            framework: ("TCF" | "GOOGLE") | string;
            /** @example 755 */
            id: number;
        };
        VendorFile: {
            /** @example IE */
            country?: string;
            frameworks?: components["schemas"]["VendorFrameworksFile"];
            /** @example demo_statistics */
            key: string;
            /** @example Demo Statistics Ltd */
            name: string;
            /** @example https://statistics.example/privacy */
            privacyPolicy?: string;
            /**
             * @example [
             *       "analytics"
             *     ]
             */
            purposeKeys?: string[];
            restrictions?: components["schemas"]["VendorRestriction"][];
        };
        VendorFileInput: {
            /** @example IE */
            country?: string;
            frameworks?: components["schemas"]["VendorFrameworksFileInput"];
            /** @example demo_statistics */
            key: string;
            /** @example Demo Statistics Ltd */
            name: string;
            /** @example https://statistics.example/privacy */
            privacyPolicy?: string;
            /**
             * @example [
             *       "analytics"
             *     ]
             */
            purposeKeys?: string[];
            restrictions?: components["schemas"]["VendorRestrictionInput"][];
        };
        VendorFrameworks: {
            /** @example 89 */
            google: number | null;
            /** @example 755 */
            tcf: number | null;
        };
        VendorFrameworksFile: {
            /** @example 89 */
            google?: number;
            /** @example 755 */
            tcf?: number;
        };
        VendorFrameworksFileInput: {
            /** @example 89 */
            google?: number;
            /** @example 755 */
            tcf?: number;
        };
        VendorInput: {
            /**
             * @example DENIED
             * @enum {string}
             */
            decision: "GRANTED" | "DENIED";
            /**
             * @example TCF
             * @enum {string}
             */
            framework: "TCF" | "GOOGLE";
            /** @example 755 */
            id: number;
        };
        VendorList: {
            /** @example {} */
            dataCategories: {
                [key: string]: unknown;
            };
            /**
             * @example {
             *       "1": {
             *         "id": 1,
             *         "name": "Keep or read something on a device",
             *         "illustrations": []
             *       }
             *     }
             */
            features: {
                [key: string]: unknown;
            };
            /** @example 3 */
            gvlSpecificationVersion: number;
            /**
             * Format: date-time
             * @example 2026-11-19T16:00:00Z
             */
            lastUpdated: string;
            /**
             * @example {
             *       "1": {
             *         "id": 1,
             *         "name": "Keep or read something on a device",
             *         "illustrations": []
             *       }
             *     }
             */
            purposes: {
                [key: string]: unknown;
            };
            /**
             * @example {
             *       "1": {
             *         "id": 1,
             *         "name": "Keep or read something on a device",
             *         "illustrations": []
             *       }
             *     }
             */
            specialFeatures: {
                [key: string]: unknown;
            };
            /**
             * @example {
             *       "1": {
             *         "id": 1,
             *         "name": "Keep or read something on a device",
             *         "illustrations": []
             *       }
             *     }
             */
            specialPurposes: {
                [key: string]: unknown;
            };
            /** @example {} */
            stacks: {
                [key: string]: unknown;
            };
            /**
             * @example {
             *       "features": "Partners may process data in these ways."
             *     }
             */
            standardTexts?: {
                [key: string]: unknown;
            };
            /** @example true */
            synthetic?: boolean;
            /** @example 5 */
            tcfPolicyVersion: number;
            /** @example 1 */
            vendorListVersion: number;
            /**
             * @example {
             *       "8": {
             *         "id": 8,
             *         "name": "Consent Only (synthetic)",
             *         "purposes": [
             *           1,
             *           3,
             *           4
             *         ],
             *         "legIntPurposes": [],
             *         "flexiblePurposes": [],
             *         "specialPurposes": [],
             *         "features": [
             *           1
             *         ],
             *         "specialFeatures": [
             *           1
             *         ]
             *       }
             *     }
             */
            vendors: {
                [key: string]: unknown;
            };
        };
        VendorRestriction: {
            /** @example 2 */
            purpose: number;
            /** @example REQUIRE_CONSENT */
            type: ("NOT_ALLOWED" | "REQUIRE_CONSENT" | "REQUIRE_LEGITIMATE_INTEREST") | string;
        };
        VendorRestrictionInput: {
            /** @example 2 */
            purpose: number;
            /**
             * @example REQUIRE_CONSENT
             * @enum {string}
             */
            type: "NOT_ALLOWED" | "REQUIRE_CONSENT" | "REQUIRE_LEGITIMATE_INTEREST";
        };
        VendorsFile: {
            change?: components["schemas"]["TemplateChangeNote"];
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            effectiveFrom?: string;
            vendors: components["schemas"]["VendorFile"][];
        };
        VendorsFileInput: {
            change?: components["schemas"]["TemplateChangeNoteInput"];
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            effectiveFrom?: string;
            vendors: components["schemas"]["VendorFileInput"][];
        };
        VerifierKey: {
            /** @example kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k */
            kid: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            revokedAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            signsFrom: string | null;
            /** @example urn:assent:ledger:shop:live+5c2b8c0e+AQECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g */
            verifierKey: string;
        };
        VerifyDataRequest: {
            /**
             * @example OPERATOR
             * @enum {string}
             */
            method?: "EMAIL_CODE" | "IDENTITY_TOKEN" | "PORTAL_TOKEN" | "OPERATOR" | "DOCUMENT";
        };
        VersionChange: {
            /** @example PUBLISH */
            action: ("PUBLISH" | "RETIRE") | string;
            /**
             * @example [
             *       "translations"
             *     ]
             */
            changed: string[];
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            effectiveFrom: string | null;
            /** @example analytics */
            key: string;
            /** @example purpose */
            object: ("purpose" | "preference_template" | "vendors" | "cookies" | "banner" | "policies") | string;
            /** @example Clearer words. */
            summary: string | null;
            /** @example 2 */
            version: number;
        };
        Vouched: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            issuedAt: string;
            /** @example key_4Zt8nXq2LmPa */
            keyId: string;
        };
        WantedTopic: {
            /** @example news */
            field: string;
            /** @example true */
            value: boolean;
        };
        WebhookAttempt: {
            /** @example Try again later. */
            answer: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            at: string;
            /** @example 48 */
            durationMs: number;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            nextAttemptAt: string | null;
            /** @example 1 */
            number: number;
            /** @example 503 */
            reason: string | null;
            /** @example 503 */
            status: number | null;
        };
        WebhookAttempts: {
            /**
             * @example [
             *       0,
             *       5,
             *       300
             *     ]
             */
            afterSeconds: number[];
            /** @example 0.2 */
            jitter: number;
            /** @example true */
            retryAfter: boolean;
        };
        WebhookCatalogue: {
            delivery: components["schemas"]["WebhookDeliveryContract"];
            events: components["schemas"]["WebhookEventType"][];
        };
        WebhookDelivery: {
            attempts: components["schemas"]["WebhookAttempt"][];
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            createdAt: string;
            /** @example evt_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            eventId: string;
            /**
             * Format: date-time
             * @example null
             */
            finishedAt: string | null;
            /** @example whe_01KAK3V0ZC8W9J2M4N6P8Q0R2S.evt_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            id: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            nextAttemptAt: string | null;
            /** @example null */
            replayId: string | null;
            /** @example 656 */
            sequence: number;
            /** @example WAITING */
            state: ("WAITING" | "DELIVERED" | "FAILED") | string;
            subject: components["schemas"]["DeliveredSubject"] | null;
            /** @example consent.granted */
            type: string;
        };
        WebhookDeliveryContract: {
            /** @example 65536 */
            answerBytesMax: number;
            /** @example 2026-11-01 */
            apiVersion: string;
            attempts: components["schemas"]["WebhookAttempts"];
            /** @example application/json; charset=utf-8 */
            contentType: string;
            disabled: components["schemas"]["WebhookDisabled"];
            /**
             * @example AT_LEAST_ONCE
             * @enum {string}
             */
            guarantee: "AT_LEAST_ONCE";
            headers: components["schemas"]["WebhookHeader"][];
            /**
             * @example POST
             * @enum {string}
             */
            method: "POST";
            /**
             * @example PER_SUBJECT
             * @enum {string}
             */
            ordering: "PER_SUBJECT";
            /**
             * @example NOT_FOLLOWED
             * @enum {string}
             */
            redirects: "NOT_FOLLOWED";
            secret: components["schemas"]["WebhookSecret"];
            signatures: components["schemas"]["WebhookSignature"][];
            /** @example 2xx */
            success: string;
            /** @example 15 */
            timeoutSeconds: number;
            /** @example 300 */
            toleranceSeconds: number;
        };
        WebhookDeliveryList: {
            data: components["schemas"]["WebhookDelivery"][];
            /** @example false */
            hasMore: boolean;
            /** @example null */
            nextCursor: string | null;
        };
        WebhookDisabled: {
            /** @example 5 */
            afterDaysOfFailures: number;
            /** @example 410 */
            byStatus: number;
        };
        WebhookEndpoint: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            changedAt: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            createdAt: string;
            /** @example key_4Zt8nXq2LmPa */
            createdBy: string;
            /** @example Warehouse */
            description: string | null;
            /** @example null */
            disabledReason: ("GONE" | "FAILING") | string | null;
            /** @example whe_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            id: string;
            /** @example false */
            includeIdentifiers: boolean;
            /**
             * Format: date-time
             * @example null
             */
            previousSecretUntil: string | null;
            /** @example ENABLED */
            state: ("ENABLED" | "PAUSED" | "DISABLED") | string;
            /**
             * @example [
             *       "consent.*",
             *       "subject.erased"
             *     ]
             */
            types: string[];
            /** @example https://hooks.shop.example/assent */
            url: string;
        };
        WebhookEndpointList: {
            data: components["schemas"]["ListedWebhookEndpoint"][];
            /** @example false */
            hasMore: boolean;
            /** @example null */
            nextCursor: string | null;
        };
        WebhookEndpointWithSecret: {
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            changedAt: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            createdAt: string;
            /** @example key_4Zt8nXq2LmPa */
            createdBy: string;
            /** @example Warehouse */
            description: string | null;
            /** @example null */
            disabledReason: ("GONE" | "FAILING") | string | null;
            /** @example whe_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            id: string;
            /** @example false */
            includeIdentifiers: boolean;
            /**
             * Format: date-time
             * @example null
             */
            previousSecretUntil: string | null;
            /** @example whsec_… */
            secret: string;
            /** @example ENABLED */
            state: ("ENABLED" | "PAUSED" | "DISABLED") | string;
            /**
             * @example [
             *       "consent.*",
             *       "subject.erased"
             *     ]
             */
            types: string[];
            /** @example https://hooks.shop.example/assent */
            url: string;
        };
        WebhookEvent: {
            /** @example 2026-11-01 */
            apiVersion: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            createdAt: string;
            data: components["schemas"]["EventData"];
            /** @example live */
            environment: ("test" | "live") | string;
            /** @example evt_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            id: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            occurredAt: string;
            /** @example 673 */
            sequence: number;
            /** @example shop */
            site: string;
            subject: components["schemas"]["EventSubject"] | null;
            /** @example consent.granted */
            type: string;
        };
        WebhookEventType: {
            /** @example A grant ran out. */
            description: string;
            /**
             * @example {
             *       "type": "consent.granted"
             *     }
             */
            example: {
                [key: string]: unknown;
            };
            /** @example 0.2.0 */
            from: string;
            /**
             * @example {
             *       "title": "consent.granted"
             *     }
             */
            schema: {
                [key: string]: unknown;
            };
            /** @example consent.granted */
            type: string;
        };
        WebhookHeader: {
            /** @example Id of the event. */
            description: string;
            /** @example webhook-id */
            name: string;
        };
        WebhookHealth: {
            /** @example false */
            behind: boolean;
            /** @example 0 */
            consecutiveFailures: number;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            failingSince: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            lastFailureAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            lastSuccessAt: string | null;
            /** @example 0 */
            waiting: number;
        };
        WebhookReplay: {
            /** @example whe_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            endpointId: string;
            /** @example 656 */
            fromSequence: number;
            /** @example whr_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
            id: string;
            /**
             * Format: date-time
             * @example 2026-11-21T12:00:00.000Z
             */
            requestedAt: string;
            /** @example 671 */
            throughSequence: number;
            /** @example null */
            types: string[] | null;
        };
        WebhookSecret: {
            /** @example 32 */
            bytes: number;
            /**
             * @example base64
             * @enum {string}
             */
            encoding: "base64";
            /** @example 24 */
            overlapHours: number;
            /** @example whsec_ */
            prefix: string;
        };
        WebhookSignature: {
            /**
             * @example HMAC-SHA256
             * @enum {string}
             */
            algorithm: "HMAC-SHA256";
            /** @example hex */
            encoding: ("hex" | "base64") | string;
            /** @example t=<timestamp>,v1=<signature> */
            format: string;
            /** @example Consent-Signature */
            header: string;
            /** @example <timestamp>.<body> */
            signedContent: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    getJournal: {
        parameters: {
            query?: {
                /** @example subject_erased */
                action?: "subject_read" | "signed_in" | "sign_in_refused" | "signed_out" | "sessions_ended" | "consent_recorded" | "preference_set" | "preference_confirmation_requested" | "subject_created" | "identifier_added" | "identifier_verified" | "subject_rectified" | "subjects_merged" | "subject_merge_reverted" | "subject_erased" | "subject_restricted" | "subject_restriction_lifted" | "identifiers_revealed" | "data_request_received" | "data_request_verification_requested" | "data_request_verified" | "data_request_started" | "data_request_held" | "data_request_resumed" | "data_request_extended" | "data_request_completion_begun" | "data_request_completion_stopped" | "data_request_completed" | "data_request_rejected" | "data_request_canceled" | "data_request_marked_duplicate" | "data_request_assigned" | "data_request_noted" | "purpose_published" | "purpose_retired" | "template_published" | "vendors_published" | "cookies_published" | "banner_published" | "policies_published" | "catalogue_editing_changed" | "catalogue_draft_saved" | "catalogue_draft_discarded" | "catalogue_draft_published" | "webhook_endpoint_created" | "webhook_endpoint_changed" | "webhook_endpoint_paused" | "webhook_endpoint_resumed" | "webhook_secret_rotated" | "webhook_endpoint_deleted" | "webhook_test_requested" | "webhook_replay_requested" | "webhook_delivery_retried" | "site_registered" | "site_changed" | "api_key_issued" | "api_key_rotated" | "api_key_revoked" | "operator_token_issued" | "operator_token_rotated" | "operator_token_revoked" | "operator_token_changed" | "signing_key_announced" | "signing_key_revoked" | "projection_rebuilt" | "projection_resumed" | "projection_skipped" | "audit_exported" | "subject_shown" | "data_role_changed" | "log_accepted";
                /** @example MSxbIjQyIl0 */
                cursor?: string;
                /** @example live */
                env?: "test" | "live";
                /** @example 2026-11-21T12:00:00.000Z */
                from?: string;
                /** @example 50 */
                limit?: number;
                /** @example opt_4Zt8nXq2LmPa */
                operator?: string;
                /** @example shop */
                site?: string;
                /** @example 2026-11-21T12:00:00.000Z */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Journal"];
                };
            };
        };
    };
    listVerifierKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerVerifiersList"];
                };
            };
        };
    };
    listOperatorTokens: {
        parameters: {
            query?: {
                /** @example MSxbIjQyIl0 */
                cursor?: string;
                /** @example 50 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorTokenList"];
                };
            };
        };
    };
    issueOperatorToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IssueOperatorToken"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedOperatorToken"];
                };
            };
        };
    };
    revokeOperatorToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example opt_4Zt8nXq2LmPa */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RevokeKey"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorToken"];
                };
            };
        };
    };
    rotateOperatorToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example opt_4Zt8nXq2LmPa */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateKey"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedOperatorToken"];
                };
            };
        };
    };
    listOperators: {
        parameters: {
            query?: {
                /** @example MSxbIjQyIl0 */
                cursor?: string;
                /** @example 50 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorList"];
                };
            };
        };
    };
    changeOperator: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example opt_4Zt8nXq2LmPa */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeOperator"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operator"];
                };
            };
        };
    };
    endOperator: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example opt_4Zt8nXq2LmPa */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RevokeKey"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operator"];
                };
            };
        };
    };
    listOperatorSessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example opt_4Zt8nXq2LmPa */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorSessionList"];
                };
            };
        };
    };
    endOperatorSessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example opt_4Zt8nXq2LmPa */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedSessions"];
                };
            };
        };
    };
    listRoles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoleList"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    lookAround: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listSigningKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningKeyList"];
                };
            };
        };
    };
    revokeSigningKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k */
                kid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RevokeSigningKey"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedKey"];
                };
            };
        };
    };
    rotateSigningKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateSigningKey"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnouncedKey"];
                };
            };
        };
    };
    listSites: {
        parameters: {
            query?: {
                /** @example MSxbIjQyIl0 */
                cursor?: string;
                /** @example 50 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteList"];
                };
            };
        };
    };
    registerSite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterSite"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Site"];
                };
            };
        };
    };
    listAuditBundles: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditBundleList"];
                };
            };
        };
    };
    askAuditBundle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AskAuditBundle"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditBundle"];
                };
            };
        };
    };
    getAuditBundle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example abn_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
                id: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditBundle"];
                };
            };
        };
    };
    downloadAuditBundle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example abn_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
                id: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    previewBanner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewBanner"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannerPreview"];
                };
            };
        };
    };
    exportCatalogue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueFiles"];
                };
            };
        };
    };
    applyCatalogue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApplyCatalogue"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueApplied"];
                };
            };
        };
    };
    getCatalogueDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueDraft"];
                };
            };
        };
    };
    saveCatalogueDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveDraft"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueDraft"];
                };
            };
        };
    };
    discardCatalogueDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueDraft"];
                };
            };
        };
    };
    publishCatalogueDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueVersion"];
                };
            };
        };
    };
    simulateCatalogueDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SimulateDraft"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Simulation"];
                };
            };
        };
    };
    getCatalogueSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueSettings"];
                };
            };
        };
    };
    changeCatalogueSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeCatalogueSettings"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueSettings"];
                };
            };
        };
    };
    simulateCatalogue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SimulateCatalogue"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Simulation"];
                };
            };
        };
    };
    listCatalogueVersions: {
        parameters: {
            query?: {
                /** @example MSxbIjQyIl0 */
                cursor?: string;
                /** @example 50 */
                limit?: number;
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueVersionList"];
                };
            };
        };
    };
    compareCatalogueVersions: {
        parameters: {
            query?: {
                /** @example 0 */
                from?: number;
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example 1 */
                n: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueDifference"];
                };
            };
        };
    };
    recordSiteConsent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordConsent"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsentRecord"];
                };
            };
        };
    };
    recordSiteConsentBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordBatch"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchResult"];
                };
            };
        };
    };
    getSiteAdditionalConsent: {
        parameters: {
            query: {
                /** @example 2026-11-21T12:00:00.000Z */
                asOf?: string;
                /** @example US */
                country?: string;
                /** @example true */
                fresh?: boolean;
                /** @example US-CA */
                region?: string;
                /** @example visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90 */
                subject: string;
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdditionalConsent"];
                };
            };
        };
    };
    getSiteGoogleConsentMode: {
        parameters: {
            query: {
                /** @example 2026-11-21T12:00:00.000Z */
                asOf?: string;
                /** @example US */
                country?: string;
                /** @example true */
                fresh?: boolean;
                /** @example US-CA */
                region?: string;
                /** @example visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90 */
                subject: string;
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GoogleConsentMode"];
                };
            };
        };
    };
    getSiteGppString: {
        parameters: {
            query: {
                /** @example 2026-11-21T12:00:00.000Z */
                asOf?: string;
                /** @example US */
                country?: string;
                /** @example true */
                fresh?: boolean;
                /** @example US-CA */
                region?: string;
                /** @example visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90 */
                subject: string;
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GppString"];
                };
            };
        };
    };
    explainSiteGppString: {
        parameters: {
            query: {
                /** @example US */
                country?: string;
                /** @example US-CA */
                region?: string;
                /** @example DBABBg~BVQUAACA.YA */
                string: string;
                /** @example visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90 */
                subject?: string;
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExplainedString"];
                };
            };
        };
    };
    getSiteTcString: {
        parameters: {
            query: {
                /** @example 2026-11-21T12:00:00.000Z */
                asOf?: string;
                /** @example US */
                country?: string;
                /** @example tcdata */
                format?: "tcdata";
                /** @example true */
                fresh?: boolean;
                /** @example US-CA */
                region?: string;
                /** @example visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90 */
                subject: string;
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TcString"];
                };
            };
        };
    };
    explainSiteTcString: {
        parameters: {
            query: {
                /** @example US */
                country?: string;
                /** @example US-CA */
                region?: string;
                /** @example CQbQ0AAQbQ0AAEsAEBENB7FgAKAAAEAAAAYgAAAAAAAA.IAAA.YAAAAAAAAAA */
                string: string;
                /** @example visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90 */
                subject?: string;
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExplainedString"];
                };
            };
        };
    };
    listSiteCookies: {
        parameters: {
            query?: {
                /** @example MSxbIjQyIl0 */
                cursor?: string;
                /** @example 50 */
                limit?: number;
                /** @example de-AT */
                locale?: string;
                /** @example analytics */
                purpose?: string;
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CookieList"];
                };
            };
        };
    };
    listSiteDataRequests: {
        parameters: {
            query?: {
                /** @example opt_4Zt8nXq2LmPa */
                assignee?: string;
                /** @example MSxbIjQyIl0 */
                cursor?: string;
                /** @example 2026-11-21T12:00:00.000Z */
                dueBefore?: string;
                /** @example 50 */
                limit?: number;
                /** @example DUE */
                order?: "DUE" | "NEWEST";
                /** @example true */
                overdue?: boolean;
                /** @example OPEN */
                state?: "RECEIVED" | "AWAITING_VERIFICATION" | "VERIFIED" | "IN_PROGRESS" | "ON_HOLD" | "COMPLETED" | "PARTIALLY_COMPLETED" | "REJECTED" | "CANCELED" | "EXPIRED" | "DUPLICATE" | "OPEN";
                /** @example email:ada@example.org */
                subject?: string;
                /** @example ACCESS */
                type?: "ACCESS" | "PORTABILITY" | "ERASURE" | "RECTIFICATION" | "RESTRICTION" | "OBJECTION" | "WITHDRAW_ALL" | "OPT_OUT_SALE_SHARE" | "OPT_OUT_TARGETED_ADS" | "OPT_OUT_PROFILING" | "LIMIT_SENSITIVE" | "KNOW_CATEGORIES" | "APPEAL" | "COMPLAINT";
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataRequestList"];
                };
            };
        };
    };
    openSiteDataRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpenDataRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataRequest"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataRequest"];
                };
            };
        };
    };
    getSiteDataRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
                id: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataRequest"];
                };
            };
        };
    };
    linkSiteArchive: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
                id: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkArchive"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArchiveLink"];
                };
            };
        };
    };
    assignSiteDataRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
                id: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssignDataRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataRequest"];
                };
            };
        };
    };
    cancelSiteDataRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
                id: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancelDataRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataRequest"];
                };
            };
        };
    };
    completeSiteDataRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
                id: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompleteDataRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataRequest"];
                };
            };
        };
    };
    extendSiteDataRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
                id: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExtendDataRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataRequest"];
                };
            };
        };
    };
    holdSiteDataRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
                id: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HoldDataRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataRequest"];
                };
            };
        };
    };
    noteSiteDataRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
                id: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoteDataRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataRequest"];
                };
            };
        };
    };
    planSiteDataRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
                id: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlanDataRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataRequestPlan"];
                };
            };
        };
    };
    rejectSiteDataRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
                id: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RejectDataRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataRequest"];
                };
            };
        };
    };
    resumeSiteDataRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
                id: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataRequest"];
                };
            };
        };
    };
    startSiteDataRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
                id: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataRequest"];
                };
            };
        };
    };
    verifySiteDataRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
                id: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyDataRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataRequest"];
                };
            };
        };
    };
    openSiteDataRequests: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpenDataRequests"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Intake"];
                };
            };
        };
    };
    countSiteDataRequests: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataRequestCounts"];
                };
            };
        };
    };
    listSiteEvents: {
        parameters: {
            query?: {
                /** @example 32 */
                after?: string;
                /** @example 50 */
                limit?: number;
                /**
                 * @example [
                 *       "consent.*"
                 *     ]
                 */
                types?: string[];
                /** @example 1 */
                wait?: number;
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventList"];
                };
            };
        };
    };
    getSiteLedgerCheckpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getSiteLedgerConsistency: {
        parameters: {
            query: {
                /** @example 1 */
                from: number;
                /** @example 2 */
                to: number;
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerConsistency"];
                };
            };
        };
    };
    getSiteLedgerProof: {
        parameters: {
            query: {
                /** @example rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
                receipt: string;
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerProof"];
                };
            };
        };
    };
    getSiteLedgerTile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example 0 */
                level: string;
                /** @example demo */
                site: string;
                /** @example 000.p/1 */
                tile: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getSiteNotice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example sha256:258cbb367277778c0dd8300f6afce42df89c5ed3ba8a8125464d48d0ffcdbd69 */
                hash: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedText"];
                };
            };
        };
    };
    getSitePolicy: {
        parameters: {
            query?: {
                /** @example 2026-11-21T12:00:00.000Z */
                at?: string;
                /** @example US */
                country?: string;
                /** @example US-CA */
                region?: string;
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Policy"];
                };
            };
        };
    };
    createSitePortalToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IssuePortalToken"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalToken"];
                };
            };
        };
    };
    getSitePreferenceTemplate: {
        parameters: {
            query?: {
                /** @example de-AT */
                locale?: string;
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreferenceTemplate"];
                };
            };
        };
    };
    setSitePreferences: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetPreferences"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreferenceRecord"];
                };
            };
        };
    };
    setSitePreferencesBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetPreferencesBatch"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreferenceBatchResult"];
                };
            };
        };
    };
    requestSiteConfirmation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestConfirmation"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfirmationToken"];
                };
            };
        };
    };
    makeSiteUnsubscribeLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UnsubscribeLinkRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsubscribeLink"];
                };
            };
        };
    };
    listSitePurposes: {
        parameters: {
            query?: {
                /** @example MSxbIjQyIl0 */
                cursor?: string;
                /** @example 50 */
                limit?: number;
                /** @example de-AT */
                locale?: string;
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PurposeList"];
                };
            };
        };
    };
    getSitePurpose: {
        parameters: {
            query?: {
                /** @example de-AT */
                locale?: string;
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example analytics */
                key: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Purpose"];
                };
            };
        };
    };
    listSiteRenewals: {
        parameters: {
            query?: {
                /** @example DE */
                country?: string;
                /** @example MSxbIjQyIl0 */
                cursor?: string;
                /** @example 50 */
                limit?: number;
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example analytics */
                key: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RenewalList"];
                };
            };
        };
    };
    listSitePurposeVersions: {
        parameters: {
            query?: {
                /** @example MSxbIjQyIl0 */
                cursor?: string;
                /** @example 50 */
                limit?: number;
                /** @example de-AT */
                locale?: string;
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example analytics */
                key: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PurposeList"];
                };
            };
        };
    };
    getSitePurposeVersion: {
        parameters: {
            query?: {
                /** @example de-AT */
                locale?: string;
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example analytics */
                key: string;
                /** @example 1 */
                n: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Purpose"];
                };
            };
        };
    };
    listReads: {
        parameters: {
            query?: {
                /** @example MSxbIjQyIl0 */
                cursor?: string;
                /** @example 2026-11-21T12:00:00.000Z */
                from?: string;
                /** @example 50 */
                limit?: number;
                /** @example key_4Zt8nXq2LmPa */
                reader?: string;
                /** @example 2026-11-21T12:00:00.000Z */
                to?: string;
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubjectReadList"];
                };
            };
        };
    };
    getSiteReceipt: {
        parameters: {
            query?: {
                /** @example kantara */
                format?: "assent" | "kantara";
                /** @example rpt_mK2nq8bRk0xJmJm4nQfHj0Gq3v1m0XwqV9a1kM2c3d4 */
                token?: string;
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
                id: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    getSiteConsentStatistics: {
        parameters: {
            query?: {
                /** @example month */
                by?: "day" | "week" | "month";
                /** @example DE */
                country?: string;
                /** @example 2026-11-01 */
                from?: string;
                /** @example without */
                imported?: "without" | "only";
                /**
                 * @example [
                 *       "analytics"
                 *     ]
                 */
                purpose?: string[];
                /** @example method */
                split?: "country" | "method" | "surface" | "locale" | "bannerVersion" | "purposeVersion";
                /** @example 2026-11-30 */
                to?: string;
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsentStatistics"];
                };
            };
        };
    };
    createSiteSubject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSubject"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subject"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subject"];
                };
            };
        };
    };
    revealIdentifiers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
                id: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RevealIdentifiers"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subject"];
                };
            };
        };
    };
    getSiteSubject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example email:ada@example.org */
                ref: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subject"];
                };
            };
        };
    };
    getSiteConsentState: {
        parameters: {
            query?: {
                /** @example 2026-11-21T12:00:00.000Z */
                asOf?: string;
                /** @example US */
                country?: string;
                /** @example true */
                fresh?: boolean;
                /** @example 2026-11-21T12:00:00.000Z */
                knownAt?: string;
                /**
                 * @example [
                 *       "analytics"
                 *     ]
                 */
                purpose?: string[];
                /** @example US-CA */
                region?: string;
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90 */
                ref: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsentState"];
                };
            };
        };
    };
    explainSiteConsent: {
        parameters: {
            query: {
                /** @example 2026-11-21T12:00:00.000Z */
                asOf?: string;
                /** @example US */
                country?: string;
                /** @example analytics */
                purpose: string;
                /** @example US-CA */
                region?: string;
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90 */
                ref: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Explanation"];
                };
            };
        };
    };
    getSiteConsentHistory: {
        parameters: {
            query?: {
                /** @example eyJ2IjoxfQ */
                cursor?: string;
                /** @example 2026-11-21T12:00:00.000Z */
                from?: string;
                /** @example 50 */
                limit?: number;
                /** @example analytics */
                purpose?: string;
                /** @example 2026-11-21T12:00:00.000Z */
                to?: string;
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90 */
                ref: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsentHistory"];
                };
            };
        };
    };
    eraseSiteSubject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example email:ada@example.org */
                ref: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EraseSubject"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasureReceipt"];
                };
            };
        };
    };
    addSiteIdentifier: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example email:ada@example.org */
                ref: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddIdentifier"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subject"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subject"];
                };
            };
        };
    };
    liftSiteRestriction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example email:ada@example.org */
                ref: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LiftRestriction"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subject"];
                };
            };
        };
    };
    getSitePreferences: {
        parameters: {
            query?: {
                /** @example 2026-11-21T12:00:00.000Z */
                asOf?: string;
                /** @example true */
                fresh?: boolean;
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90 */
                ref: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preferences"];
                };
            };
        };
    };
    getSitePreferenceHistory: {
        parameters: {
            query?: {
                /** @example eyJ2IjoxfQ */
                cursor?: string;
                /** @example channels.email.topics.news */
                field?: string;
                /** @example 2026-11-21T12:00:00.000Z */
                from?: string;
                /** @example 50 */
                limit?: number;
                /** @example 2026-11-21T12:00:00.000Z */
                to?: string;
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90 */
                ref: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreferenceHistory"];
                };
            };
        };
    };
    listSiteSubjectReads: {
        parameters: {
            query?: {
                /** @example MSxbIjQyIl0 */
                cursor?: string;
                /** @example 2026-11-21T12:00:00.000Z */
                from?: string;
                /** @example 50 */
                limit?: number;
                /** @example key_4Zt8nXq2LmPa */
                reader?: string;
                /** @example 2026-11-21T12:00:00.000Z */
                to?: string;
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example email:ada@example.org */
                ref: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubjectReadList"];
                };
            };
        };
    };
    restrictSiteSubject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example email:ada@example.org */
                ref: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RestrictSubject"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subject"];
                };
            };
        };
    };
    getSiteTimeline: {
        parameters: {
            query?: {
                /** @example MSxbIjQyIl0 */
                cursor?: string;
                /** @example 50 */
                limit?: number;
                /**
                 * @example [
                 *       "consent_recorded",
                 *       "data_request_received"
                 *     ]
                 */
                types?: string[];
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example email:ada@example.org */
                ref: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Timeline"];
                };
            };
        };
    };
    lookUpSubject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LookUpSubject"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundSubject"];
                };
            };
        };
    };
    mergeSiteSubjects: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MergeSubjects"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MergeResult"];
                };
            };
        };
    };
    revertSiteMerge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example mrg_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
                mergeId: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RevertMerge"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevertResult"];
                };
            };
        };
    };
    getSiteVendorList: {
        parameters: {
            query?: {
                /** @example de-AT */
                locale?: string;
                /** @example 1 */
                version?: number;
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VendorList"];
                };
            };
        };
    };
    retrySiteWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example whe_01KAK3V0ZC8W9J2M4N6P8Q0R2S.evt_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
                id: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetriedWebhookDelivery"];
                };
            };
        };
    };
    listSiteWebhookEndpoints: {
        parameters: {
            query?: {
                /** @example MSxbIjQyIl0 */
                cursor?: string;
                /** @example 50 */
                limit?: number;
                /** @example DISABLED */
                state?: "ENABLED" | "PAUSED" | "DISABLED";
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointList"];
                };
            };
        };
    };
    createSiteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookEndpoint"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
        };
    };
    getSiteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example whe_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
                id: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedWebhookEndpoint"];
                };
            };
        };
    };
    deleteSiteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example whe_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
                id: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedWebhookEndpoint"];
                };
            };
        };
    };
    changeSiteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example whe_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
                id: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeWebhookEndpoint"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    listSiteWebhookDeliveries: {
        parameters: {
            query?: {
                /** @example MSxbIjQyIl0 */
                cursor?: string;
                /** @example 50 */
                limit?: number;
            };
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example whe_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
                id: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryList"];
                };
            };
        };
    };
    replaySiteWebhookEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example whe_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
                id: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayWebhookEvents"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReplay"];
                };
            };
        };
    };
    rotateSiteWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example whe_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
                id: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateWebhookSecret"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
        };
    };
    testSiteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example whe_01KAK3V0ZC8W9J2M4N6P8Q0R2S */
                id: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestedWebhookTest"];
                };
            };
        };
    };
    listSiteWebhookEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example test */
                env: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookCatalogue"];
                };
            };
        };
    };
    getBrand: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Brand"];
                };
            };
        };
    };
    changeBrand: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeBrand"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Brand"];
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @example MSxbIjQyIl0 */
                cursor?: string;
                /** @example live */
                env?: "test" | "live";
                /** @example 50 */
                limit?: number;
                /** @example live */
                state?: "live" | "expired" | "revoked";
                /** @example sk */
                type?: "pk" | "sk";
            };
            header?: never;
            path: {
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyList"];
                };
            };
        };
    };
    issueKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IssueKey"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedKey"];
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example key_4Zt8nXq2LmPa */
                id: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RevokeKey"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example key_4Zt8nXq2LmPa */
                id: string;
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateKey"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedKey"];
                };
            };
        };
    };
    changeOrigins: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example demo */
                site: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeOrigins"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Site"];
                };
            };
        };
    };
    getSummary: {
        parameters: {
            query?: {
                /** @example live */
                env?: "test" | "live";
                /** @example shop */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Summary"];
                };
            };
        };
    };
}
