ALTER TABLE "system_config" ADD COLUMN "refuses_common_passwords" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- The super admin's search finds a name however its accents and marks are typed; contract/name-search.ts folds names alike.
CREATE FUNCTION "plain_letters"(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT replace(replace(replace(replace(lower(translate(
    regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g'), 'ĐÐŁØÆŒÞẞđðłøı', 'ddloæœþßddloi')),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') $$;--> statement-breakpoint
CREATE FUNCTION "written_out_letters"(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT plain_letters(replace(replace(replace(replace(replace(replace(
    translate(normalize(value, NFC), 'ÄÖÜÅØĐ', 'äöüåøđ'),
    'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'å', 'aa'), 'ø', 'oe'), 'đ', 'dj')) $$;--> statement-breakpoint
-- Words are what stands between spaces, commas, apostrophes, hyphens and full stops.
CREATE FUNCTION "words_in"(value text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT array_remove(regexp_split_to_array(value, '[[:space:],''`’‘ʻʼ׳.\u002d\u2010\u2011\u05be]+'), '') $$;--> statement-breakpoint
CREATE FUNCTION "joined_words"(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT array_to_string(words_in(value), '') $$;--> statement-breakpoint
-- From every word to the end of the text, joined, each on a line after a space.
CREATE FUNCTION "search_lines"(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT coalesce(string_agg(DISTINCT E'\n ' || array_to_string(words[place:], ''), ''), '')
    FROM (VALUES (words_in(plain_letters(value))), (words_in(written_out_letters(value)))) AS forms (words),
      generate_subscripts(words, 1) AS place $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "fold_sensei"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.name_key := fold_text(NEW.full_name);
  NEW.dojo_key := coalesce(fold_text(NEW.dojo_name), '');
  NEW.place_key := fold_text(concat_ws(', ', NEW.city, NEW.state));
  NEW.search_text := fold_text(' ' || concat_ws(E'\n ', NEW.full_name, NEW.email, NEW.dojo_name, NEW.city, NEW.state))
    || search_lines(NEW.full_name) || search_lines(NEW.dojo_name) || search_lines(NEW.city);
  RETURN NEW;
END $$;--> statement-breakpoint
UPDATE "sensei_directory" SET "full_name" = "full_name";
