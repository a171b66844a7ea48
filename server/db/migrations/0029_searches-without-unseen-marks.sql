-- Searches ignore characters that nobody sees: joiners, soft hyphens, marks of direction, variation selectors and their like.
-- contract/name-search.ts removes the same ones.
CREATE FUNCTION "without_unseen_marks"(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT regexp_replace(value, '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]', '', 'g') $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "fold_text"(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT lower(regexp_replace(normalize(without_unseen_marks(value), NFD), '[\u0300-\u036f]', '', 'g')) $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "plain_letters"(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT replace(replace(replace(replace(lower(translate(
    regexp_replace(normalize(without_unseen_marks(value), NFKD), '[\u0300-\u036f]', '', 'g'), 'ĐÐŁØÆŒÞẞđðłøı', 'ddloæœþßddloi')),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "written_out_letters"(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT plain_letters(replace(replace(replace(replace(replace(replace(
    translate(normalize(without_unseen_marks(value), NFC), 'ÄÖÜÅØĐ', 'äöüåøđ'),
    'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'å', 'aa'), 'ø', 'oe'), 'đ', 'dj')) $$;--> statement-breakpoint
UPDATE "sensei_directory" SET "full_name" = "full_name";
